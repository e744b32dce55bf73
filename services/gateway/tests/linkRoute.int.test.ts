import { networkInterfaces } from 'node:os';
import { publicAddress, startLinkSite, type LinkSite } from './linkSite.ts';
import { startGateway, type TestGateway } from './startGateway.ts';

let site: LinkSite;
let gateway: TestGateway;

beforeAll(async () => {
  site = await startLinkSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>');
  });
  gateway = await startGateway(
    {},
    {
      guard: {
        resolveHost: async () => [publicAddress],
        addressAllowed: (address) => address === publicAddress,
        portAllowed: () => true,
      },
    },
  );
});
afterAll(async () => {
  await gateway.stop();
  await site.stop();
});

const at = (path: string) => `http://site.test:${String(site.port)}${path}`;

it('describes what is behind a link to signed-in users', async () => {
  const user = await gateway.signUp();
  expect(await user.api.post('/api/link-previews', { url: at('/page') })).toMatchObject({
    status: 200,
    body: { url: at('/page'), title: 'A page', description: null, siteName: null, image: null },
  });
  expect((await gateway.anonymous.post('/api/link-previews', { url: at('/') })).status).toBe(401);
});

it('reports bad links as such, never as an internal error', async () => {
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

describe('an installation without test overrides', () => {
  let careful: TestGateway;
  beforeAll(async () => {
    careful = await startGateway();
  });
  afterAll(() => careful.stop());

  const requestPreview = async (url: string) =>
    (await (await careful.signUp()).api.post('/api/link-previews', { url })).body;
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address.replace(/%.*/, '')}]` : address)),
  );

  // Covers each notation. Other non-public addresses are tested in kit's publicAddress.
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.0x0.0x0.0x1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1',
    'example.org:6379',
    ...own,
  ])('refuses to connect to %s', async (host) => {
    expect(await requestPreview(`http://${host}/`)).toMatchObject({ code: 'link_refused' });
  });

  it.each(['localhost', 'localhost.', 'a.localhost', 'LOCALHOST'])('does not resolve %s', async (host) => {
    expect((await requestPreview(`http://${host}/`)).code).toMatch(/^link_(refused|unreachable)$/);
  });
});

it('link previews can be disabled, and the features show it', async () => {
  expect((await gateway.anonymous.get('/api/config')).body.features.linkPreviews).toBe(true);
  const without = await startGateway({ LINK_PREVIEWS: 'off' });
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
