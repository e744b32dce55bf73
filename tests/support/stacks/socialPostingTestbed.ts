import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@nolo/kit/clock';
import { createDb, migrate, provisionDatabase, type Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { createJobScheduler, type JobScheduler } from '@nolo/kit/jobs';
import { createLog } from '@nolo/kit/log';
import { deleteBackingData } from '../../../scripts/backingServices.ts';
import { projectRoot } from '../../../scripts/paths.ts';
import { startBackingServices, type BackingServices } from '../../../scripts/stack.ts';
import type { AccountGrant, PlatformId } from '../../../services/social-scheduler/src/domain/platform.ts';
import { createKeyRing } from '@nolo/kit/keyRing';
import { createConnectionStore } from '../../../services/social-scheduler/src/store/connectionStore.ts';
import { createPostStore } from '../../../services/social-scheduler/src/store/postStore.ts';
import { startFakeIdentity } from '../../../services/social-scheduler/tests/startFakeIdentity.ts';
import { forkService, type ForkedService } from './forkedService.ts';

const service = 'social-scheduler';
const schema = 'social_scheduler';

/** Environment for posting: its own stores with social-scheduler's tables, and workers as separate processes. */
export interface SocialPostingTestbed {
  readonly backing: BackingServices;
  readonly db: Knex;
  readonly posts: ReturnType<typeof createPostStore>;
  readonly jobs: JobScheduler;
  /** Creates a user with these connected accounts. Returns the connections by platform. */
  person(
    grants: readonly { platform: PlatformId; grant: AccountGrant }[],
  ): Promise<{ userId: UserId; ids: Map<string, string> }>;
  /** Starts a worker and resolves when it takes jobs. `clockOffMs` is the error of its clock. */
  startWorker(file: string, environment: Record<string, string>, clockOffMs?: number): Promise<ForkedService>;
  stop(): Promise<void>;
}

export async function startSocialPostingTestbed(environment: NodeJS.ProcessEnv = {}): Promise<SocialPostingTestbed> {
  const home = await mkdtemp(join(tmpdir(), 'nolo-posts-'));
  // When started by root, Postgres runs as another user, which needs access to its data.
  await chmod(home, 0o711);
  const backing = await startBackingServices({ home, environment });
  const urls = await provisionDatabase(backing.databaseUrl, 'nolo', [service], 'posts');
  await migrate(urls[service], schema, join(projectRoot, 'services/social-scheduler/migrations'));
  const db = createDb({ url: urls[service], schema });
  const key = randomBytes(32);
  const connections = createConnectionStore(db, createKeyRing([{ name: 'test', key }]), systemClock);
  const log = createLog({ service: 'posts', level: 'warn' });
  const jobs = createJobScheduler({ db, service, redisUrl: backing.redisUrl, log });
  const secret = key.toString('hex');
  // Posts wait while operator settings are unknown.
  const identity = await startFakeIdentity(secret);
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
      // Remaining processes shut down cleanly.
      for (const { child } of workers) child.disconnect();
      await Promise.all(ends);
      await identity.leave();
      await jobs.stop();
      await db.destroy();
      await backing.stop();
      deleteBackingData(home);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
