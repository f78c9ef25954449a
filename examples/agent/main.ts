import { arrangeTalk } from './agent.ts';
import { startAgent } from './connection.ts';

const {
  MCP_URL = 'http://localhost:3000/mcp',
  CLIENT_ID,
  ATTENDEE_NAME = 'Dana',
  ATTENDEE_EMAIL,
} = process.env;

if (CLIENT_ID === undefined || ATTENDEE_EMAIL === undefined) {
  process.stderr.write('Set CLIENT_ID and ATTENDEE_EMAIL.\n');
  process.exit(1);
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const day = (fromNow: number): string =>
  new Date(Date.now() + fromNow * 86_400_000).toISOString().slice(0, 10);

const agent = await startAgent({
  url: MCP_URL,
  clientId: CLIENT_ID,
  show: (page) => say(`Open this page to give the agent access:\n${page}`),
});
try {
  const attendee = { name: ATTENDEE_NAME, email: ATTENDEE_EMAIL };
  await arrangeTalk(agent, { attendee, from: day(1), until: day(14) }, say);
} finally {
  await agent.close();
}
