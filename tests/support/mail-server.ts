import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** What a recipient's server got. */
export interface ReceivedMail {
  /** Whom the envelope named, which is where it goes. */
  readonly recipients: readonly string[];
  readonly email: Email;
}

export interface MailServer {
  readonly port: number;
  readonly smtpUrl: string;
  readonly received: readonly ReceivedMail[];
  /** How many connections were opened so far. */
  connections(): number;
  close(): Promise<void>;
}

export interface MailServerOptions {
  /** Instead of any. */
  readonly port?: number;
  /** The code to refuse a recipient with; undefined accepts. Takes as long as it takes. */
  readonly judge?: (recipient: string) => Promise<number | undefined>;
  /** The server says these words when it refuses. */
  readonly refusal?: string;
  /** Without them nobody has to sign in. */
  readonly credentials?: { readonly user: string; readonly password: string };
}

/** A real SMTP server on a free port of 127.0.0.1 that keeps what it accepts. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { judge = async () => undefined, refusal = 'refused', credentials } = options;
  const received: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disabledCommands: credentials === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    logger: false,
    // Senders keep their connections open.
    closeTimeout: 50,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      const isRight = username === credentials?.user && password === credentials?.password;
      if (isRight) done(null, { user: 'sender' });
      else done(new Error(refusal));
    },
    onRcptTo({ address }, _session, done) {
      judge(address).then(
        (responseCode) =>
          responseCode === undefined ? done() : done(Object.assign(new Error(refusal), { responseCode })),
        done,
      );
    },
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      text(stream)
        .then((raw) => PostalMime.parse(raw))
        .then((email) => void received.push({ recipients, email }))
        .then(() => done(), done);
    },
  });
  const listening = server.listen(options.port ?? 0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  return {
    port: address.port,
    smtpUrl: `smtp://127.0.0.1:${address.port}`,
    received,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
