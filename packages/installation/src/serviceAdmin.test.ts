import { Secret } from '@nolo/kit/config';
import { describeService } from './serviceAdmin.ts';

test('service information includes numbers and switches but no text, which may be secret', async () => {
  const now = new Date('2026-11-26T20:00:00Z');
  const config = {
    MESSAGES_KEPT_DAYS: 30,
    LINK_PREVIEWS: false,
    RPC_SECRET: new Secret('nobody else knows it'),
    SMTP_URL: 'smtp://name:word@mail.example',
    RPC_LISTEN: { host: '127.0.0.1', port: 7000 },
    CALLS_KEPT_DAYS: undefined,
    demo: true,
  };
  const facts = await describeService({ config, clock: { now: () => now } })();
  expect(facts).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: undefined,
    since: now,
    settings: [
      { variable: 'LINK_PREVIEWS', value: 'false' },
      { variable: 'MESSAGES_KEPT_DAYS', value: '30' },
    ],
  });
});
