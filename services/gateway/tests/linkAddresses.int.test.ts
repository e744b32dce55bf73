import { networkInterfaces } from 'node:os';
import { isForeignPublicAddress, isPublicAddress, resolveHost } from '@nolo/kit/outbound';
import { createLinkPreviews, type LinkPreviews } from '../src/links/linkPreviews.ts';
import { privateAddress, startSite, type Site } from './linkSite.ts';

const never = new AbortController().signal;
const refusal = (code: string) => expect.objectContaining({ code });

describe('an address that is not public', () => {
  /** Everything of this machine that could answer. */
  let everywhere: Site;
  let careful: LinkPreviews;
  /** Every name is one of this network, and the usual ports are open. */
  const preview = createLinkPreviews({
    guard: {
      resolveHost: async () => [privateAddress],
      addressAllowed: isPublicAddress,
      portAllowed: (port) => port === 8_080,
    },
  });
  beforeAll(async () => {
    everywhere = await startSite((_request, response) => void response.end('the canary sang'), '::');
    // As in production, but for the port: nobody but root may listen at 80.
    careful = createLinkPreviews({
      guard: { resolveHost, addressAllowed: isForeignPublicAddress, portAllowed: () => true },
      timeLimitMs: 1_500,
    });
  });
  afterAll(async () => {
    expect(everywhere.connections()).toBe(0);
    await everywhere.stop();
  });

  const own = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address.replace(/%.*/, '')}]` : address)),
  );

  it.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0x0.0x0.0x1',
    '017700000001',
    '0177.0.0.01',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::127.0.0.1]',
    '[2002:7f00:1::1]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    ...own,
  ])('is refused as %s', async (host) => {
    await expect(careful(`http://${host}:${String(everywhere.port)}/`, never)).rejects.toEqual(refusal('link_refused'));
  });

  it('has no name either', async () => {
    for (const host of ['localhost', 'localhost.', 'a.localhost', 'LOCALHOST']) {
      await expect(careful(`http://${host}:${String(everywhere.port)}/`, never)).rejects.toEqual(
        expect.objectContaining({ code: expect.stringMatching(/^link_(refused|unreachable)$/) }),
      );
    }
    await expect(preview('http://inside.test:8080/', never)).rejects.toEqual(refusal('link_refused'));
  });

  it('is refused with a password, another protocol, and at the ports of other things', async () => {
    const cases: [string, string][] = [
      ['http://ada:secret@site.test:8080/', 'link_refused'],
      ['http://site.test:6379/', 'link_refused'],
      ['http://site.test/', 'link_refused'],
      ['gopher://site.test/', 'link_invalid'],
      ['file:///etc/passwd', 'link_invalid'],
      ['not a link', 'link_invalid'],
    ];
    for (const [link, code] of cases) await expect(preview(link, never)).rejects.toEqual(refusal(code));
  });
});
