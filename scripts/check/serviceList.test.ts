import { databaseServices, findServicesOwningVariable, services } from '../services.ts';
import { openCheckout } from './checkout.ts';
import { findServiceListProblems } from './serviceList.ts';

const checkout = openCheckout();

test('everything written by hand about services matches services.json', async () => {
  expect(await findServiceListProblems(checkout)).toEqual([]);
});

test.each([
  ['deploy/compose.yaml', '[*environment, *chat-addresses]', '*environment'],
  ['deploy/compose.yaml', 'DATABASE_URL: *chat-url\n      MESSAGES', 'MESSAGES'],
  ['deploy/compose.yaml', '\n  chat:\n    <<: *service', '\n  chat:\n    profiles: [chat]\n    <<: *service'],
  ['docs/ARCHITECTURE.md', '`services/chat`', '`services/chats`'],
  ['README.md', 'gateway, identity, chat,', 'gateway, identity,'],
])('a service missing from %s is reported: %s', async (file, present, changed) => {
  expect(checkout.read(file)).toContain(present);
  const problems = await findServiceListProblems({
    ...checkout,
    read: (path) => (path === file ? checkout.read(path).replace(present, changed) : checkout.read(path)),
  });
  expect(problems).not.toEqual([]);
  for (const problem of problems) expect(problem).toMatch(new RegExp(`^${file}.*chat`, 'is'));
});

test('a service missing from the list, and a call that is not listed, are reported', async () => {
  const [gateway, ...others] = checkout.services;
  const list = [{ ...gateway!, calls: [] }, ...others.filter(({ name }) => name !== 'status')];
  const problems = await findServiceListProblems({ ...checkout, services: list });
  expect(problems).toContain('services.json: status is missing.');
  expect(problems).toContain('services/gateway/src/config.ts: CHAT_ADDR is unexpected.');
});

test('a key read by one service is given to no other', () => {
  expect(findServicesOwningVariable('TWILIO_AUTH_TOKEN')).toEqual(['identity']);
  expect(findServicesOwningVariable('MEDIA_SILENT_MS')).toEqual(['meetings', 'media-sfu']);
  expect(findServicesOwningVariable('LOG_LEVEL')).toBeUndefined();
});

test('only services with Postgres are provisioned', () => {
  expect(databaseServices).toEqual(
    services.filter(({ name }) => !['gateway', 'media-sfu'].includes(name)).map(({ name }) => name),
  );
});
