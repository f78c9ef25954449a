import { expect, test } from 'vitest';
import { deliverDue } from '../../src/platform/mail/delivery.ts';
import { openMailroom, useMailServer } from './mailroom.ts';

const { deliverer, post } = await openMailroom();
const victim = 'victim@example.com';

test.for([
  `ann@example.com\r\nRCPT TO:<${victim}>`,
  `ann@example.com>\r\nRCPT TO:<${victim}>\r\n`,
  `ann@example.com\nBcc: ${victim}`,
  `ann@example.com\r\n\r\nBcc: ${victim}`,
  `ann@example.com, ${victim}`,
  `ann@example.com; ${victim}`,
  `ann@example.com <${victim}>`,
  `<${victim}> ann@example.com`,
  `"${victim}"@example.org, ${victim}`,
  `group: ann@example.com, ${victim};`,
  `ann@example.com\t${victim}`,
])('a recipient that smuggles another one in, %j, never reaches that one', async (recipient) => {
  const server = await useMailServer();
  await post({ recipient });

  await deliverDue(deliverer(server));

  expect(server.received.flatMap((mail) => mail.recipients)).not.toContain(victim);
  expect(server.received.flatMap((mail) => mail.recipients).length).toBeLessThanOrEqual(1);
});

test.for(['\r\n', '\n', '\r'])(
  'a subject with a line break (%j) adds no header and no recipient',
  async (lineBreak) => {
    const server = await useMailServer();
    await post({ subject: `Hello${lineBreak}Bcc: ${victim}${lineBreak}X-Smuggled: yes` });

    await deliverDue(deliverer(server));

    expect(server.received.map((mail) => mail.recipients)).toEqual([['ann@example.com']]);
    const headers = server.received.flatMap(({ email }) => email.headers.map(({ key }) => key));
    expect(headers).toContain('subject');
    expect(headers).not.toContain('bcc');
    expect(headers).not.toContain('x-smuggled');
  },
);
