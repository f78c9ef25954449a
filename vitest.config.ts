import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** They take programs that npm does not have: their packages, and how to see that they are here. */
const leftOut = [
  ['tests/scheduling/caldav-radicale.test.ts', 'radicale', 'radicale --version'],
  ['tests/scheduling/calendar-entries.test.ts', 'radicale', 'radicale --version'],
  ['tests/platform/database-pooler.test.ts', 'pgbouncer', 'pgbouncer --version'],
  [
    'tests/conformance/requests-oauthlib.test.ts',
    'python3-requests-oauthlib',
    '/usr/bin/python3 -c "import requests_oauthlib"',
  ],
  [
    'tests/clients/go.test.ts',
    'golang-go, 1.25 or newer, and in tests/clients/go: go mod download',
    'cd tests/clients/go && GOPROXY=off go mod download',
  ],
  ['tests/flows/firefox.test.ts', 'firefox-esr', 'firefox-esr --version'],
  [
    'tests/flows/webkit.test.ts',
    'webkit2gtk-driver xvfb',
    'command -v WebKitWebDriver && command -v Xvfb && ls /usr/lib/*/webkit2gtk-4.*/MiniBrowser',
  ],
  ['tests/start/proxies.test.ts', 'nginx-light haproxy caddy', 'nginx -v && haproxy -v && caddy version'],
  ['tests/whole/backup.test.ts', 'postgresql', 'ls /usr/lib/postgresql/*/bin/initdb'],
  [
    'tests/start/container.test.ts',
    'podman podman-compose runc golang-github-containernetworking-plugin-dnsname postgresql, as root',
    'runc --version && podman-compose --version && ls /usr/lib/postgresql/*/bin/initdb && unshare --mount --net --pid --fork iptables -w -t nat -L',
  ],
].flatMap(([file = '', packages, probe = '']) => {
  if (!existsSync(join(import.meta.dirname, file)) || spawnSync('sh', ['-c', probe]).status === 0) return [];
  process.stderr.write(`${file} is left out: apt-get install ${packages}\n`);
  return [file];
});

export default defineConfig({
  test: {
    // Node.js loads sources and tests as it loads the service: transforming them took a tenth of a run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // The sources are tested with the driver as it is bundled.
    execArgv: ['--import', join(import.meta.dirname, 'patches/register.ts')],
    include: ['tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    globalSetup: join(import.meta.dirname, 'tests/support/global-setup.ts'),
    // Tests of processes and browsers wait a part of their time: with two workers two cores were idle for a seventh.
    maxWorkers: availableParallelism() + 1,
    tags: [{ name: 'parts', description: 'It needs optional parts: the door alone leaves it out.' }],
    // Tests take a second or two; on a crowded machine ten times as long is no fault.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    // Files share what they import: loading it anew for each took more time than the tests. Each has a database of its own all the same.
    isolate: false,
    // Concurrent tests of one file mostly wait.
    maxConcurrency: 16,
  },
});
