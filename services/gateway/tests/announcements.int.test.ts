import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

test('what operators announce is told to every socket at once, and to whoever comes later by the first frame', async () => {
  const ada = await gateway.signUp();
  const adas = await ada.connectSocket();
  await adas.next('hello');
  const until = new Date(Date.now() + 3_600_000);
  const texts = { en: 'On Sunday at six Nolo is away.', de: 'Am Sonntag um sechs ist Nolo nicht da.' };
  const over = { id: '01995c1e-7b1a-7c3e-9d2f-0c5a3b9d8e7e', texts, severity: 'info', until: new Date(0) };
  const bulletin = { id: '01995c1e-7b1a-7c3e-9d2f-0c5a3b9d8e7f', texts, severity: 'warning', until };
  const rest = { createdAt: new Date(0), endedAt: undefined };
  gateway.bulletins.tell([
    { ...over, ...rest },
    { ...bulletin, ...rest },
  ]);
  gateway.bus.publish('gateway.all.bulletins', {});
  const announcements = [{ ...bulletin, until: until.toISOString() }];
  expect((await adas.next('announcements')).data).toEqual({ announcements });

  const later = await (await gateway.signUp()).connectSocket();
  expect((await later.next('hello')).data).toMatchObject({ announcements });
  gateway.bulletins.tell([]);
  gateway.bus.publish('gateway.all.bulletins', {});
  for (const socket of [adas, later]) expect((await socket.next('announcements')).data).toEqual({ announcements: [] });
  const last = await ada.connectSocket();
  expect((await last.next('hello')).data).not.toHaveProperty('announcements');
  await Promise.all([adas, later, last].map((socket) => socket.close()));
});

test('nobody but an operator has anything to announce', async () => {
  const { api } = await gateway.signUp();
  const draft = { texts: { en: 'Hello.' }, severity: 'info', until: new Date(Date.now() + 60_000).toISOString() };
  expect((await api.post('/api/admin/announcements', draft)).status).toBe(403);
  expect((await api.post('/api/admin/announcements', { ...draft, texts: { de: 'Hallo.' } })).status).toBe(400);
});
