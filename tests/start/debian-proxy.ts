import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atTheEnd } from '../support/at-the-end.ts';
import { createCertificate } from '../support/certificate.ts';
import { findFreePort, isListening } from '../support/free-port.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

const examples = join(import.meta.dirname, '../../deploy/proxies');

/** How each is started on a file. nginx's example is one of its sites. */
const programs = {
  nginx: {
    file: 'nginx.conf',
    wrap: (text: string, folder: string) =>
      `daemon off; pid ${folder}/pid; error_log ${folder}/errors; events {}
      http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/a; uwsgi_temp_path ${folder}/b; scgi_temp_path ${folder}/c; ${text} }`,
    words: (path: string) => ['-c', path],
  },
  haproxy: {
    file: 'haproxy.cfg',
    wrap: (text: string) => text,
    words: (path: string) => ['-db', '-f', path],
  },
  caddy: {
    file: 'Caddyfile',
    wrap: (text: string) => `{\n\tadmin off\n\tauto_https off\n}\n${text}`,
    words: (path: string) => ['run', '--adapter', 'caddyfile', '--config', path],
  },
} as const;

export type ProxyName = keyof typeof programs;

/** Starts an example of `deploy/proxies` with another port, certificate and service; returns its port. */
export async function startProxy(name: ProxyName, servicePort: number): Promise<number> {
  const { file, wrap, words } = programs[name];
  const folder = await makeTemporaryDirectory(atTheEnd);
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'home'));
  const port = await findFreePort();
  const { key, cert } = createCertificate('cal.example');
  const [certPath, keyPath, bothPath] = ['cert.pem', 'key.pem', 'both.pem'].map((one) => join(folder, one));
  await writeFile(certPath ?? '', cert);
  await writeFile(keyPath ?? '', key);
  await writeFile(bothPath ?? '', cert + key);
  const text = (await readFile(join(examples, file), 'utf8'))
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${servicePort}`)
    .replace(/\/etc\/letsencrypt\S*fullchain\.pem/, certPath ?? '')
    .replace(/\/etc\/letsencrypt\S*privkey\.pem/, keyPath ?? '')
    .replace('/etc/haproxy/cal.example.pem', bothPath ?? '')
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace(
      'https://cal.example {',
      `https://cal.example:${port} {\n\ttls ${certPath} ${keyPath}\n\tbind 127.0.0.1`,
    );
  const path = join(folder, file);
  await writeFile(path, wrap(text, folder));
  const proxy = spawn(name, words(path), {
    env: { PATH: process.env['PATH'], HOME: join(folder, 'home') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  proxy.stderr.setEncoding('utf8').on('data', (line: string) => {
    errors += line;
  });
  const exited = once(proxy, 'exit');
  atTheEnd(async () => {
    proxy.kill('SIGTERM');
    await exited;
  });
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (tries === 200 || proxy.exitCode !== null) throw new Error(`${name} doesn't start: ${errors}`);
    await sleep(50);
  }
  return port;
}
