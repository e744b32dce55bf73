import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { findRefusedComposeEnvironments, parseEnvFile } from './composeEnvironment.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const compose = read('deploy/compose.yaml');
const example = read('deploy/env.example');

const keys = `first:${Buffer.alloc(32).toString('base64')}`;

/** Returns the settings of a file with every secret filled in and every optional setting enabled. */
function filledIn(text: string): Record<string, string> {
  const settings = parseEnvFile(text);
  for (const [name, value] of Object.entries(settings)) if (value === '') settings[name] = '0123456789'.repeat(5);
  return {
    ...settings,
    FACTOR_KEYS: keys,
    SOCIAL_TOKEN_KEYS: keys,
    WEBHOOK_KEYS: keys,
    BILLING_ADDR: 'billing:7000',
    NOTIFICATIONS_ADDR: 'notifications:7000',
    TRANSCRIBER_ADDR: 'transcriber:7000',
    TRANSCRIBE_URL: 'https://speech.example.org/v1/audio/transcriptions',
  };
}

const simulated = 'http://simulators.localhost:8090';

test('demo mode points everything external at the simulators', async () => {
  const settings = filledIn(example);
  expect(await findRefusedComposeEnvironments(compose, settings)).toEqual([]);
  const platforms = ['MASTODON_SERVERS', 'BLUESKY_URL', 'X_URL', 'LINKEDIN_URL'];
  for (const name of [...platforms, 'OIDC_ISSUER', 'OUTBOX_PAGE_URL', 'PAYMENT_FORM_ORIGINS', 'PAYPAL_URL']) {
    expect([name, settings[name]]).toEqual([name, expect.stringContaining(simulated)]);
    // Compose passes on the value from the file.
    expect(compose).toContain(`${name}: \${${name}`);
  }
});

test('removing the demo lines gives a production setup', async () => {
  const production = example.replace(
    /# ---- The demonstration ----[\s\S]*# ---- The end of the demonstration ----/,
    '',
  );
  expect(production).not.toContain('simulat');
  const settings = {
    ...filledIn(production),
    NOLO_MODE: 'production',
    PUBLIC_URL: 'https://nolo.example.org',
    SMS_PROVIDER: 'twilio',
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_AUTH_TOKEN: '0123456789'.repeat(5),
    TWILIO_FROM: '+15005550006',
  };
  expect(await findRefusedComposeEnvironments(compose, settings)).toEqual([]);
});
