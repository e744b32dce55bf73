import { rateLimits } from '@nolo/rules';
import { publicAddress, startSite, type Site } from './linkSite.ts';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let site: Site;
let gateway: TestGateway;

beforeAll(async () => {
  site = await startSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>');
  });
  gateway = await startTestGateway(
    {},
    {
      guard: {
        resolveHost: async () => [publicAddress],
        addressAllowed: (address) => address === publicAddress,
        portAllowed: () => true,
      },
    },
  );
}, 30_000);
afterAll(async () => {
  await gateway.stop();
  await site.stop();
});

const at = (path: string) => `http://site.test:${String(site.port)}${path}`;

it('shows what is behind a link to whoever is signed in', async () => {
  const user = await gateway.signUp();
  expect(await user.api.post('/api/link-previews', { url: at('/page') })).toMatchObject({
    status: 200,
    body: { url: at('/page'), title: 'A page', description: null, siteName: null, image: null },
  });
  expect((await gateway.anonymous.post('/api/link-previews', { url: at('/') })).status).toBe(401);
});

it('answers bad links as what they are, never as a fault of its own', async () => {
  const user = await gateway.signUp();
  const cases: [string, number, string][] = [
    ['example.org', 400, 'link_invalid'],
    ['http://ada:secret@site.test/', 422, 'link_refused'],
    ['http://10.0.0.1/', 422, 'link_refused'],
    ['http://site.test:1/', 422, 'link_unreachable'],
    ['', 400, 'invalid_input'],
    [`http://site.test/${'a'.repeat(3_000)}`, 400, 'invalid_input'],
  ];
  for (const [url, status, code] of cases) {
    expect(await user.api.post('/api/link-previews', { url })).toMatchObject({ status, body: { code } });
  }
});

it('goes to the public internet alone unless a test says otherwise', async () => {
  const careful = await startTestGateway();
  try {
    const user = await careful.signUp();
    const before = site.connections();
    for (const url of [`http://${publicAddress}:${String(site.port)}/`, 'http://127.0.0.1/', 'http://[::1]/']) {
      expect(await user.api.post('/api/link-previews', { url })).toMatchObject({
        status: 422,
        body: { code: 'link_refused' },
      });
    }
    expect(site.connections()).toBe(before);
  } finally {
    await careful.stop();
  }
});

it('looks only so often for one account', async () => {
  const user = await gateway.signUp();
  const { points } = rateLimits.linkPreviewsPerUser;
  const replies = await Promise.all(
    Array.from({ length: points + 1 }, () => user.api.post('/api/link-previews', { url: 'ftp://site.test/' })),
  );
  expect(replies.filter(({ status }) => status === 429).length).toBe(1);
  expect((await (await gateway.signUp()).api.post('/api/link-previews', { url: at('/') })).status).toBe(200);
});

it('can be switched off, and says so', async () => {
  expect((await gateway.anonymous.get('/api/config')).body.features.linkPreviews).toBe(true);
  const without = await startTestGateway({ LINK_PREVIEWS: 'off' });
  try {
    expect((await without.anonymous.get('/api/config')).body.features.linkPreviews).toBe(false);
    const user = await without.signUp();
    expect(await user.api.post('/api/link-previews', { url: at('/') })).toMatchObject({
      status: 404,
      body: { code: 'link_previews_off' },
    });
  } finally {
    await without.stop();
  }
});
