import { issueCommandLinePass } from '@nolo/kit/commandLinePass';
import { ConfigError, loadConfig } from '@nolo/kit/config';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { createClient, type RpcDefinition } from '@nolo/kit/rpc';
import type { HostPort } from '@nolo/kit/config';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { RoomAdminServiceDefinition } from '@nolo/proto/roomAdmin';
import { connectServiceAdmins } from './clients.ts';
import { runAdminCommand } from './commands/adminCommands.ts';
import { adminConfigSchema } from './config.ts';

/** Runs the operators' command line next to a gateway: service info, jobs and rooms. */
async function run(argv: readonly string[]): Promise<void> {
  const config = loadConfig(adminConfigSchema);
  const log = createLog({ service: 'admin', level: 'fatal' });
  const redis = await connectRedis({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, log });
  const open: { close(): void }[] = [];
  const client = <Definition extends RpcDefinition>(definition: Definition, { host, port }: HostPort) => {
    const made = createClient(definition, `${host}:${port}`, { secret: config.RPC_SECRET });
    open.push(made);
    return made;
  };
  try {
    await runAdminCommand(
      {
        serviceAdmins: connectServiceAdmins(config, client),
        operators: client(OperatorServiceDefinition, config.IDENTITY_ADDR),
        roomAdmin: client(RoomAdminServiceDefinition, config.MEETINGS_ADDR),
        groups: client(GroupServiceDefinition, config.CHAT_ADDR),
        caller: await issueCommandLinePass(redis),
        print: (line) => process.stdout.write(`${line}\n`),
      },
      argv,
    );
  } finally {
    for (const one of open) one.close();
    await closeRedis(redis);
  }
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const sentence = error instanceof ConfigError ? error.sentences.join('\n') : (error as Error).message;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
