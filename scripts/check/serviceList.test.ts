import { databaseServices, findServicesOwningVariable, services } from '../services.ts';
import { findServiceListProblems, readText } from './serviceList.ts';

test('every list of services matches services.json', async () => {
  expect(await findServiceListProblems()).toEqual([]);
});

test.each([
  ['deploy/docker/Dockerfile', 'COPY services/chat/migrations', 'COPY services/chats/migrations'],
  ['deploy/compose.yaml', '\n  chat:\n', '\n  chats:\n'],
  ['deploy/compose.yaml', '\n  migrate-chat:\n', '\n  migrate-chats:\n'],
  ['deploy/compose.yaml', 'CHAT_DATABASE_URL: *chat-url', 'CHATS_DATABASE_URL: *chat-url'],
  ['deploy/compose.yaml', 'CHAT_ADDR: chat:7000', 'CHATS_ADDR: chat:7000'],
  ['deploy/env.example', 'CHAT_DATABASE_PASSWORD=', 'CHATS_DATABASE_PASSWORD='],
  ['deploy/helm/nolo/values.yaml', '\nchat:\n', '\nchats:\n'],
  ['deploy/helm/nolo/values.yaml', 'chatDatabaseUrl:', 'chatsDatabaseUrl:'],
  ['deploy/helm/nolo/values.schema.json', '"chatDatabaseUrl"', '"chatsDatabaseUrl"'],
  ['deploy/grafana/alerts.yaml', 'gateway|identity|chat|', 'gateway|identity|'],
  ['deploy/grafana/alerts.yaml', 'absent(nolo_build_info{service="chat"})', 'absent(nolo_build_info{service="files"})'],
  ['deploy/backup/nolo-backup.sh', "services='chat files", "services='files"],
  ['docs/ARCHITECTURE.md', '`services/chat`', '`services/chats`'],
])('a service missing from %s is reported: %s', async (file, present, changed) => {
  expect(readText(file)).toContain(present);
  const problems = await findServiceListProblems((path) => {
    const text = readText(path);
    return path === file ? text.replace(present, changed) : text;
  });
  expect(problems).not.toEqual([]);
  for (const problem of problems) expect(problem).toMatch(new RegExp(`^${file}.*chat`, 'is'));
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
