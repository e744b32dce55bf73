import { eventually, createFakeClock, type TestUser } from '@nolo/testing';
import { publicAddress, startLinkSite, type LinkSite } from './linkSite.ts';
import { startGateway, type TestGateway } from './startGateway.ts';

/**
 * Site that must get no requests: operators control link fetching, so a gateway that does not know their settings sends
 * none.
 */

let site: LinkSite;
let settingsCalls = 0;
let gateway: TestGateway;

beforeAll(async () => {
  site = await startLinkSite((_request, response) => {
    settingsCalls += 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>');
  });
});
afterEach(() => gateway.stop());
afterAll(() => site.stop());

const start = (options: Parameters<typeof startGateway>[2]) =>
  startGateway(
    { LINK_IMPORTS: 'on' },
    {
      guard: {
        resolveHost: async () => [publicAddress],
        addressAllowed: (address) => address === publicAddress,
        portAllowed: () => true,
      },
    },
    options,
  );

async function outcomes(person: TestUser) {
  const url = `http://site.test:${String(site.port)}/page`;
  const replies = [await person.api.post('/api/link-previews', { url }), await person.api.post('/url/meta', { url })];
  return replies.map(({ status, body }) => [status, (body as { code?: string } | null)?.code]);
}

const known = [
  [200, undefined],
  [200, undefined],
];
const unknown = [
  [503, 'service_unavailable'],
  [503, 'service_unavailable'],
];

const become = (person: TestUser, expected: typeof known | typeof unknown) =>
  eventually(async () => {
    expect(await outcomes(person)).toEqual(expected);
    return true;
  });

function setAway(away: boolean): void {
  for (const one of [gateway.settings, gateway.barredHosts]) one.setAway(away);
  for (const subject of ['installation.settings', 'installation.barred_hosts']) gateway.bus.publish(subject, {});
}

test('link previews continue for a while without identity, and resume when it is back', async () => {
  const clock = createFakeClock(new Date());
  gateway = await start({ clock });
  const person = await gateway.signUp();
  await become(person, known);
  setAway(true);
  clock.advance(10 * 60_000);
  expect(await outcomes(person)).toEqual(known);
  clock.advance(10 * 60_000);
  const before = settingsCalls;
  expect(await outcomes(person)).toEqual(unknown);
  expect(settingsCalls).toBe(before);
  setAway(false);
  await become(person, known);
});

test('a gateway that never received settings previews no links, and answers 503 for the barred hosts list', async () => {
  gateway = await start({ operatorsAway: true });
  const person = await gateway.signUp();
  const before = settingsCalls;
  expect(await outcomes(person)).toEqual(unknown);
  expect(settingsCalls).toBe(before);
  const list = await gateway.anonymous.get('/api/barred-hosts?version=older');
  expect([list.status, list.body.code]).toEqual([503, 'service_unavailable']);
  setAway(false);
  await become(person, known);
});
