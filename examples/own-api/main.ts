import { checkOffline, notesApi } from './api.ts';
import { checkOnline } from './introspection.ts';

const {
  ISSUER = 'http://localhost:3000',
  API_URL = ISSUER,
  AUDIENCE = 'https://notes.example',
} = process.env;
const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT = '3002' } = process.env;

const check =
  clientId === undefined || clientSecret === undefined
    ? checkOffline(ISSUER, AUDIENCE)
    : checkOnline({ apiUrl: API_URL, audience: AUDIENCE, clientId, clientSecret });
notesApi(check).listen(Number(PORT), 'localhost');
process.stdout.write(`The notes are at http://localhost:${PORT}\n`);
