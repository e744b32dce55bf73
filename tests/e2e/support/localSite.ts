import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startOwnGateway } from './ownGateway.ts';

/** Gateway that fetches from this machine, which no setting allows. */
export const localLinksGatewayModule = 'services/gateway/tests/localLinksProcess.ts';

export interface LocalSite {
  /** Returns the address of the Nolo that fetches from the site. */
  url: () => string;
  /** Returns the site's own host and port. */
  host: () => string;
}

/** Starts a site on this machine, and a gateway of its own: only a gateway built for this fetches from so near. */
export function startLocalSite(answer: RequestListener): LocalSite {
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
    url: startOwnGateway(() => ({ module: localLinksGatewayModule })).url,
    host: () => `127.0.0.1:${String((site.address() as AddressInfo).port)}`,
  };
}
