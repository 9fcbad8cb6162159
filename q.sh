ics () 
{ 
    curl -s "http://127.0.0.1:28180/v1/calendar.ics?country=USA" | /tmp/u2venv/bin/python -c "
import icalendar,sys
for e in icalendar.Calendar.from_ical(sys.stdin.buffer.read()).walk('VEVENT'): print(e['SEQUENCE'],e.decoded('DTSTART'),e.decoded('DTSTAMP'),e['SUMMARY'])"
}
