import { expect, test } from 'vitest';
import { deliverDue } from '../../src/platform/mail/delivery.ts';
import { openMailroom, useMailServer } from './mailroom.ts';

const { clock, deliverer, logText, post, read } = await openMailroom();

function countLogged(text: string): number {
  return logText().split(text).length - 1;
}

test('without SMTP_URL a message is kept, and its text logged at info, once (contract §1)', async () => {
  const { id } = await post({ text: 'open https://cal.example/reset' });

  await deliverDue(deliverer());
  clock.advance(3600);
  await deliverDue(deliverer());

  expect(countLogged('open https://cal.example/reset')).toBe(1);
  expect(JSON.parse(logText())).toMatchObject({
    level: 30,
    mail: { id, recipient: 'ann@example.com', subject: 'Your app was accepted' },
  });
  expect((await read(id)).sentAt).toBeNull();
});

test('instances without SMTP_URL log a message once between them', async () => {
  await post({ text: 'only once' });

  await Promise.all([deliverDue(deliverer()), deliverDue(deliverer()), deliverDue(deliverer())]);

  expect(countLogged('only once')).toBe(1);
});

test('a message that was kept goes out when SMTP_URL is set one day, once', async () => {
  const { id } = await post();
  await deliverDue(deliverer());
  const server = await useMailServer();

  await deliverDue(deliverer(server));
  await deliverDue(deliverer(server));

  expect(server.received).toHaveLength(1);
  expect(await read(id)).toMatchObject({ sentAt: clock.now(), attempts: 1 });
});

test('a message that an SMTP server refused is logged when SMTP_URL is taken away', async () => {
  const refusing = await useMailServer({ judge: async () => 451 });
  await post({ text: 'not lost' });
  await deliverDue(deliverer(refusing));
  expect(countLogged('not lost')).toBe(0);
  clock.advance(5);

  await deliverDue(deliverer());

  expect(countLogged('not lost')).toBe(1);
});

test('with SMTP_URL no text is ever logged', async () => {
  const server = await useMailServer();
  await post({ text: 'for Ann alone', subject: 'private' });

  await deliverDue(deliverer(server));

  expect(logText()).toContain('mail sent');
  expect(logText()).not.toMatch(/for Ann alone|private|ann@example/);
});
