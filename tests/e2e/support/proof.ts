import { createDb } from '@nolo/kit/db';

/** Makes the proof of all that somebody is signed in with older than the five minutes that it holds. */
export async function outdateProof(userId: string): Promise<void> {
  const db = createDb({ url: process.env['NOLO_JOURNEYS_IDENTITY_DATABASE'] ?? '', schema: 'identity' });
  await db('sessions')
    .where({ user_id: userId })
    .update({ proven_at: new Date(0) });
  await db.destroy();
}
