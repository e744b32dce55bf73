import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSharedStack, type SharedStack } from './sharedStack.ts';

export interface NearbySite {
  /** The address of the Nolo that looks at it. */
  url: () => string;
  /** The site's own host and port. */
  host: () => string;
}

/** A site on this machine, and a Nolo of its own: only a gateway that was made for it looks at what is so near. */
export function nearbySite(answer: RequestListener): NearbySite {
  const site = createServer(answer);
  let own: SharedStack | undefined;
  beforeAll(async () => {
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    own = await startSharedStack({ gatewayModule: 'services/gateway/tests/localLinksProcess.ts' });
  }, 120_000);
  afterAll(async () => {
    site.close();
    site.closeAllConnections();
    await own?.stop();
  }, 60_000);
  return {
    url: () => own?.urls[0] ?? '',
    host: () => `127.0.0.1:${String((site.address() as AddressInfo).port)}`,
  };
}
