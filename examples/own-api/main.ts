import { byIntrospection, resourceServer } from 'latchkey/resource';
import { notesApi } from './api.ts';

const { ISSUER: issuer = 'http://localhost:3000', AUDIENCE: audience = 'https://notes.example' } =
  process.env;
const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT = '3002' } = process.env;

const asks = clientId !== undefined && clientSecret !== undefined;
const resource = resourceServer({
  ...{ issuer, audience, onFault: console.error },
  ...(asks && { standing: byIntrospection({ clientId, clientSecret }) }),
});
notesApi(resource, audience).listen(Number(PORT), 'localhost');
process.stdout.write(`The notes are at http://localhost:${PORT}\n`);
