import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@nolo/kit/clock';
import { createDb, migrate, provisionDatabase, type Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { createJobs, type Jobs } from '@nolo/kit/jobs';
import { createLog } from '@nolo/kit/log';
import { forgetBacking } from '../../scripts/backing.ts';
import { projectRoot } from '../../scripts/paths.ts';
import { startBacking, type Backing } from '../../scripts/stack.ts';
import type { Grant, PlatformId } from '../../services/social-scheduler/src/domain/platform.ts';
import { createKeyRing } from '@nolo/kit/keyRing';
import { createConnectionStore } from '../../services/social-scheduler/src/store/connectionStore.ts';
import { createPostStore } from '../../services/social-scheduler/src/store/postStore.ts';
import { startIdentity } from '../../services/social-scheduler/tests/startIdentity.ts';
import { forkService, type ForkedService } from './forkedService.ts';

const service = 'social-scheduler';
const schema = 'social_scheduler';

/** What posts go out from: stores of its own, with social-scheduler's tables, whose workers are processes of their own. */
export interface PostingGround {
  readonly backing: Backing;
  readonly db: Knex;
  readonly posts: ReturnType<typeof createPostStore>;
  readonly jobs: Jobs;
  /** Somebody who connected these accounts; answers with the connections by their platforms. */
  person(
    grants: readonly { platform: PlatformId; grant: Grant }[],
  ): Promise<{ userId: UserId; ids: Map<string, string> }>;
  /** Once it takes jobs. `clockOffMs` is how wrong its clock is. */
  startWorker(file: string, environment: Record<string, string>, clockOffMs?: number): Promise<ForkedService>;
  stop(): Promise<void>;
}

export async function startPostingGround(environment: NodeJS.ProcessEnv = {}): Promise<PostingGround> {
  const home = await mkdtemp(join(tmpdir(), 'nolo-posts-'));
  // Under root, Postgres runs as somebody else, who has to get at its data.
  await chmod(home, 0o711);
  const backing = await startBacking({ home, environment });
  const urls = await provisionDatabase(backing.databaseUrl, 'nolo', [service], 'posts');
  await migrate(urls[service], schema, join(projectRoot, 'services/social-scheduler/migrations'));
  const db = createDb({ url: urls[service], schema });
  const key = randomBytes(32);
  const connections = createConnectionStore(db, createKeyRing([{ name: 'test', key }]), systemClock);
  const log = createLog({ service: 'posts', level: 'warn' });
  const jobs = createJobs({ db, service, redisUrl: backing.redisUrl, log });
  const secret = key.toString('hex');
  // Posts wait while nobody says what operators set.
  const identity = await startIdentity(secret);
  const workers = new Set<ForkedService>();

  return {
    backing,
    db,
    posts: createPostStore(db, jobs),
    jobs,
    async person(grants) {
      const userId = newId<UserId>();
      for (const { platform, grant } of grants) await connections.put(userId, platform, [grant]);
      const list = await connections.list(userId);
      return { userId, ids: new Map(list.map(({ id, platform }) => [platform, id])) };
    },
    async startWorker(file, more, clockOffMs = 0) {
      const worker = await forkService(
        file,
        {
          DATABASE_URL: urls[service],
          REDIS_URL: backing.redisUrl,
          NATS_URL: backing.natsUrl,
          RPC_LISTEN: '127.0.0.1:0',
          RPC_SECRET: secret,
          IDENTITY_ADDR: identity.address,
          FILES_ADDR: '127.0.0.1:9',
          PUBLIC_URL: 'http://localhost:8080',
          SOCIAL_TOKEN_KEYS: `test:${key.toString('base64')}`,
          ...more,
        },
        clockOffMs,
      );
      workers.add(worker);
      void worker.gone.then(() => workers.delete(worker));
      return worker;
    },
    async stop() {
      const ends = [...workers].map(({ gone }) => gone);
      // Those that are left go in good order.
      for (const { child } of workers) child.disconnect();
      await Promise.all(ends);
      await identity.leave();
      await jobs.stop();
      await db.destroy();
      await backing.stop();
      forgetBacking(home);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
