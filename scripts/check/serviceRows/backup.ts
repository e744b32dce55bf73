import { schemaOf } from '@nolo/kit/db';
import { databaseServicesOf } from '../../services.ts';
import type { Checkout } from '../checkout.ts';
import { replaceMatches } from './regions.ts';

/** Renders the backup script with the schemas in the order of a restore, which accounts complete. */
export function renderBackup({ services, read }: Checkout): string {
  const names = databaseServicesOf(services).filter((name) => name !== 'identity');
  const schemas = [...names, 'identity'].map(schemaOf).join(' ');
  return replaceMatches(read('deploy/backup/nolo-backup.sh'), /^services='.*'$/m, `services='${schemas}'`);
}
