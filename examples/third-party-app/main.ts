import { startThirdPartyApp } from './app.ts';

const { ISSUER = 'http://localhost:3000', API_URL = ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env;

if (CLIENT_ID === undefined) {
  process.stderr.write('Set CLIENT_ID, and CLIENT_SECRET if the client is confidential.\n');
  process.exit(1);
}

const app = await startThirdPartyApp({
  issuer: ISSUER,
  apiUrl: API_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  port: Number(PORT ?? '3001'),
});
process.stdout.write(`Tidy Week is at ${app.url}; its redirect URI is ${app.redirectUri}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void app.close());
