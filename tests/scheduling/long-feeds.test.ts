import { describe, expect, test } from 'vitest';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { openTestService } from '../support/service.ts';

const hour = (day: string) => [`DTSTART:${day}T070000Z`, 'DURATION:PT1H'];

describe('a feed of many years (contract §8)', async () => {
  const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
  const feeds = await startFeedServer();
  const note = `DESCRIPTION:${'Join by phone or video. '.repeat(25)}`;
  const past = Array.from({ length: 12_000 }, (_, index) => {
    const day = new Date(Date.UTC(2010, 0, 1) + index * 11 * 3_600_000)
      .toISOString()
      .slice(0, 10)
      .replaceAll('-', '');
    return [`UID:past-${index}`, ...hour(day), note];
  });
  const save = async (text: string, path: string) => {
    const ann = await represent(service);
    const body = { urls: [feeds.serve(path, answerIcs(text))] };
    return {
      ann,
      saved: await callApi(service, 'POST', '/calendars/ics-feed/save', { token: ann.token, body }),
    };
  };

  test('is read, however little of it is to come', async () => {
    const text = icsOf(...past, ['UID:now', ...hour('20270203'), note]);
    expect(text.length).toBeGreaterThan(8 * 1024 * 1024);

    const { ann, saved } = await save(text, '/years.ics');

    expect(saved.body).toContain('"success"');
    const path = '/calendars/busy-times?dateFrom=2027-02-03&dateTo=2027-02-03';
    const { data } = bodyOf(await callApi(service, 'GET', path, { token: ann.token }));
    expect(data).toMatchObject([{ start: '2027-02-03T07:00:00.000Z' }]);
  });

  test('is too large by what is kept of it', async () => {
    const series = Array.from({ length: 30_000 }, (_, index) => [
      ...[
        `UID:series-${index}`,
        ...hour('20270203'),
        'RRULE:FREQ=YEARLY',
        `EXDATE:${'20270203T070000Z,'.repeat(6)}20270203T070000Z`,
      ],
    ]);

    const { saved } = await save(icsOf(...series), '/series.ics');

    expect(bodyOf(saved, 400).error.details['urls.0']).toContain('20 MB, and 4 MB of series');
  });
});
