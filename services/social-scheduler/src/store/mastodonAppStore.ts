import { Secret } from '@nolo/kit/config';
import type { Knex } from '@nolo/kit/db';
import type { KeyRing } from '@nolo/kit/keyRing';
import type { MastodonOptions, MastodonApp } from '../platforms/mastodon.ts';

interface Row {
  server: string;
  redirect_uri: string;
  client_id: string;
  sealed_secret: Buffer;
}

/** Stores this installation's registrations on Mastodon servers. */
export function createMastodonAppStore(db: Knex, keys: KeyRing): MastodonOptions['apps'] {
  const table = () => db<Row>('server_apps');
  const boundTo = (server: string, redirectUri: string) => `app ${server} ${redirectUri}`;
  const opened = async ({ server, redirect_uri, client_id, sealed_secret }: Row): Promise<MastodonApp> => ({
    clientId: client_id,
    clientSecret: new Secret(await keys.open(sealed_secret, boundTo(server, redirect_uri))),
  });
  const get = async (server: string, redirectUri: string) => {
    const row = await table().where({ server, redirect_uri: redirectUri }).first();
    return row && (await opened(row));
  };
  return {
    get,
    list: async (server) => await Promise.all((await table().where({ server })).map(opened)),
    async put(server, redirectUri, app) {
      const sealed_secret = await keys.seal(app.clientSecret.reveal(), boundTo(server, redirectUri));
      const row = { server, redirect_uri: redirectUri, client_id: app.clientId, sealed_secret };
      await table().insert(row).onConflict(['server', 'redirect_uri']).ignore();
      return (await get(server, redirectUri)) ?? app;
    },
  };
}
