import { expect, test } from 'vitest';
import { startCompose } from './compose.ts';
import { openPages } from './server-process.ts';

const patient = { timeout: 60_000 } as const;
/** A container runtime waits for so long, then kills. */
const stopSeconds = '10';

const { address, secret, container, podman } = await startCompose();
const inService = (...command: string[]) => podman('exec', container('latchkey'), ...command);
const evaluate = (script: string) => inService('node', '--eval', script);
const healthOf = async (service: 'latchkey' | 'postgres') =>
  (await podman('healthcheck', 'run', container(service))).code;

test(
  'compose.yaml starts the image of the Dockerfile on PostgreSQL, ready and healthy',
  patient,
  async () => {
    await expect.poll(() => statusOf('/readyz'), patient).toBe(200);

    expect(await openPages(address)).toEqual([200, 200, 200, 200, 200]);
    expect([await healthOf('postgres'), await healthOf('latchkey')]).toEqual([0, 0]);
  },
);

test('it has no privileges, and writes nowhere but to its volume (operations)', patient, async () => {
  const status = await evaluate("console.log(fs.readFileSync('/proc/1/status', 'utf8'))");
  const written = await evaluate(
    `for (const folder of ['/app', '/usr/local/bin', '/tmp', '/data'])
      try { fs.writeFileSync(folder + '/x', ''); console.log('wrote', folder) } catch {}`,
  );

  expect(status.output).toMatch(/^Uid:\s1000\s1000\s1000\s1000$/m);
  expect(status.output).toMatch(/^CapEff:\s0+$/m);
  expect(status.output).toMatch(/^NoNewPrivs:\s1$/m);
  expect(written.output).toBe('wrote /data\n');
});

test('the command line works in it (operations)', patient, async () => {
  const doctor = await inService('latchkey-server', 'doctor');

  expect(doctor).toMatchObject({ code: 0, output: expect.stringMatching(/migrations +ok/) });
  expect(doctor.output).not.toContain(secret);
});

test(
  'without its database it is unhealthy, and SIGTERM ends it with 0 all the same (security C47)',
  patient,
  async () => {
    await podman('stop', '--time', stopSeconds, container('postgres'));
    await expect.poll(() => healthOf('latchkey')).not.toBe(0);

    await podman('stop', '--time', stopSeconds, container('latchkey'));
    const exit = await podman('inspect', '--format', '{{.State.ExitCode}}', container('latchkey'));
    expect(exit.output.trim()).toBe('0');

    await podman('start', container('postgres'), container('latchkey'));
    await expect.poll(() => statusOf('/readyz'), patient).toBe(200);
  },
);

async function statusOf(path: string): Promise<number> {
  return fetch(address + path).then(
    ({ status }) => status,
    () => 0,
  );
}
