import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { attendee, openBookingsApi } from '../support/bookings-api.ts';
import { listen } from '../support/socket.ts';

const { service, ann, addEventType, nextSlot } = await openBookingsApi();
const port = await listen(service);

test.each([
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
  ['2025-11-25, with a handshake', { mode: 'legacy' }],
] as const)(
  'the SDK’s client finds a time, books, reschedules, lists and cancels, in version %s (contract §7)',
  async (_, versionNegotiation) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${ann.token}` } },
      }),
    );
    /** What the API answered. */
    async function call(name: string, given: Record<string, unknown> = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      return isError === true ? text : JSON.parse(text);
    }
    const { id, lengthInMinutes } = await addEventType();

    const me = await call('getMe');
    const types = await call('listEventTypes', { take: 250 });
    const day = nextSlot().slice(0, 10);
    const free = await call('listSlots', {
      eventTypeId: id,
      start: day,
      end: day,
      timeZone: me.data.timeZone,
    });
    const [first, second] = free.data[day].map((time: string) => `${day}T${time}:00${free.offsets[day]}`);
    const booked = await call('createBooking', { eventTypeId: id, start: first, attendee });
    const { uid } = booked.data;
    const moved = await call('rescheduleBooking', { uid, start: second, reschedulingReason: 'Later' });
    const cancelled = await call('cancelBooking', { uid: moved.data.uid });
    const listed = await call('listBookings', { eventTypeId: id, sortCreated: 'asc' });
    const again = await call('cancelBooking', { uid: moved.data.uid });

    expect(client.getInstructions()).toContain('listSlots');
    expect(me.data.username).toBe(ann.user.username);
    expect(types.data.find((one: { id: number }) => one.id === id)).toMatchObject({ lengthInMinutes });
    expect(Date.parse(booked.data.start)).toBe(Date.parse(first));
    expect(Date.parse(moved.data.start)).toBe(Date.parse(second));
    expect(cancelled.data.status).toBe('cancelled');
    expect(listed.data.map((one: { uid: string }) => one.uid)).toEqual([uid, moved.data.uid]);
    expect(again).toMatch(/^Conflict: /);
    await client.close();
  },
);
