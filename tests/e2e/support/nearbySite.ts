import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownGateway } from './ownGateway.ts';

/** A gateway that looks at what is on this machine, as no setting makes it do. */
export const nearbyModule = 'services/gateway/tests/localLinksProcess.ts';

export interface NearbySite {
  /** The address of the Nolo that looks at it. */
  url: () => string;
  /** The site's own host and port. */
  host: () => string;
}

/** A site on this machine, and a gateway of its own: only one that was made for it looks at what is so near. */
export function nearbySite(answer: RequestListener): NearbySite {
  const site = createServer(answer);
  beforeAll(async () => {
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
  });
  afterAll(() => {
    site.close();
    site.closeAllConnections();
  });
  return {
    url: ownGateway(() => ({ module: nearbyModule })).url,
    host: () => `127.0.0.1:${String((site.address() as AddressInfo).port)}`,
  };
}
