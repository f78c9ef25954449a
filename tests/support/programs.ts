import { spawnSync } from 'node:child_process';

/** Tests that take programs that npm does not have: the packages of Debian, and how to see that they are here. */
const programs: Readonly<Record<string, readonly [packages: string, probe: string]>> = {
  'tests/scheduling/caldav-radicale.test.ts': ['radicale', 'radicale --version'],
  'tests/scheduling/calendar-entries.test.ts': ['radicale', 'radicale --version'],
  'tests/platform/database-pooler.test.ts': ['pgbouncer', 'pgbouncer --version'],
  'tests/conformance/requests-oauthlib.test.ts': [
    'python3-requests-oauthlib',
    '/usr/bin/python3 -c "import requests_oauthlib"',
  ],
  'tests/clients/go.test.ts': [
    'golang-go, 1.25 or newer, and in tests/clients/go: go mod download',
    'cd tests/clients/go && GOPROXY=off go mod download',
  ],
  'tests/clients/python.test.ts': ['python3-venv', 'python3 -c "import venv, ensurepip"'],
  'tests/flows/firefox.test.ts': ['firefox-esr', 'firefox-esr --version'],
  'tests/flows/webkit.test.ts': [
    'webkit2gtk-driver xvfb',
    'command -v WebKitWebDriver && command -v Xvfb && ls /usr/lib/*/webkit2gtk-4.*/MiniBrowser',
  ],
  'tests/start/proxies.test.ts': ['nginx-light haproxy caddy', 'nginx -v && haproxy -v && caddy version'],
  'tests/whole/backup.test.ts': ['postgresql', 'ls /usr/lib/postgresql/*/bin/initdb'],
  'tests/start/container.test.ts': [
    'podman podman-compose runc golang-github-containernetworking-plugin-dnsname postgresql, as root',
    'runc --version && podman-compose --version && ls /usr/lib/postgresql/*/bin/initdb && unshare --mount --net --pid --fork iptables -w -t nat -L',
  ],
};

/** Returns those of the files whose programs are missing; a line for each says what installs them. */
export function leftOutOf(files: readonly string[]): readonly string[] {
  return files.filter((file) => {
    const [packages, probe] = programs[file] ?? [];
    if (probe === undefined || spawnSync('sh', ['-c', probe]).status === 0) return false;
    process.stderr.write(`${file} is left out: apt-get install ${packages}\n`);
    return true;
  });
}
