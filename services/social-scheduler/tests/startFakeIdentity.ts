import { createLog } from '@nolo/kit/log';
import { bindRpcService, serveRpc, type RpcService } from '@nolo/kit/rpc';
import { BarredHostServiceDefinition } from '@nolo/proto/barredHosts';
import { SettingServiceDefinition } from '@nolo/proto/settings';

const unasked = () => Promise.reject(new Error('Workers must not call this.'));

/** Starts a fake identity with what this service uses, at an address that stays fixed across outages. */
export async function startFakeIdentity(secret: string, ...others: readonly RpcService[]) {
  const set = { social: 'on', hosts: [] as string[] };
  const services = [
    ...others,
    bindRpcService(SettingServiceDefinition, {
      listCurrentSettings: async () => ({ settings: [{ name: 'social', value: set.social }] }),
      listSettings: unasked,
      changeSetting: unasked,
    }),
    bindRpcService(BarredHostServiceDefinition, {
      listCurrentBarredHosts: async () => ({ version: set.hosts.join(), hosts: set.hosts }),
      listBarredHosts: unasked,
      barHosts: unasked,
      unbarHost: unasked,
    }),
  ];
  const log = createLog({ service: 'test', level: 'silent' });
  const open = (port: number) => serveRpc({ listen: { host: '127.0.0.1', port }, secret, log, services });
  let server: Awaited<ReturnType<typeof open>> | undefined = await open(0);
  const { port } = server;
  return {
    address: `127.0.0.1:${port}`,
    /** Operators' settings, returned by later queries. */
    set,
    /** Makes it unreachable until it returns. Idempotent. */
    async leave() {
      await server?.stop();
      server = undefined;
    },
    async comeBack() {
      server ??= await open(port);
    },
  };
}
