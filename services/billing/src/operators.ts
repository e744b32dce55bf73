import { commonConfig, ConfigError, loadConfig } from '@nolo/kit/config';
import { createDb } from '@nolo/kit/db';
import { parseId, type UserId } from '@nolo/kit/ids';
import { systemClock } from '@nolo/kit/clock';
import { z } from 'zod';
import { createOperatorStore } from './store/operatorStore.ts';

const usage = 'node services/billing/src/operators.ts [grant <account id> | revoke <account id>]';

/** Lets accounts see and do what operators do, or takes that back, while billing runs; without a word it lists them. */
async function run([word, id = '']: readonly string[]): Promise<string> {
  const userId = parseId<UserId>(id);
  if (word !== undefined && (!['grant', 'revoke'].includes(word) || !userId)) throw new Error(usage);
  const { DATABASE_URL } = loadConfig(z.object({ DATABASE_URL: commonConfig.DATABASE_URL }));
  const db = createDb({ url: DATABASE_URL, schema: 'billing' });
  try {
    const operators = createOperatorStore(db);
    const now = systemClock.now();
    if (word === 'grant' && userId) {
      return (await operators.grant(userId, now)) ? `${userId} is an operator now.` : `${userId} is one already.`;
    }
    if (word === 'revoke' && userId) {
      return (await operators.revoke(userId, now)) ? `${userId} is no operator any more.` : `${userId} is none.`;
    }
    const ids = await operators.list();
    return ids.length === 0 ? 'Nobody was let in here; BILLING_OPERATORS may name some.' : ids.join('\n');
  } finally {
    await db.destroy();
  }
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  const sentence = error instanceof ConfigError ? error.sentences.join('\n') : (error as Error).message;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
