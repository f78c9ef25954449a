import { once } from 'node:events';
import { createServer } from 'node:http';
import { Temporal } from 'temporal-polyfill';

const busyHours = { from: '12:00', to: '13:00' } as const;

export interface Feed {
  readonly url: string;
  close(): Promise<void>;
}

/** The calendar has lunch on every working day, as an ICS feed (RFC 5545) on this machine. */
export async function startFeed(timeZone: string): Promise<Feed> {
  const text = writeLunches(timeZone);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/calendar; charset=utf-8' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the feed has no port');
  return {
    url: `http://127.0.0.1:${address.port}/lunch.ics`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function writeLunches(timeZone: string): string {
  const today = Temporal.Now.plainDateISO(timeZone);
  const monday = today.subtract({ days: today.dayOfWeek - 1 }).toString();
  const wall = (time: string): string => `${monday}T${time}00`.replaceAll(/[-:]/g, '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Latchkey//Demo//EN',
    'BEGIN:VEVENT',
    'UID:lunch@demo.example',
    `DTSTAMP:${wall('00:00')}Z`,
    `DTSTART;TZID=${timeZone}:${wall(busyHours.from)}`,
    `DTEND;TZID=${timeZone}:${wall(busyHours.to)}`,
    'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    'SUMMARY:Lunch',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.join('\r\n')}\r\n`;
}
