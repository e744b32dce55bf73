/** PostgreSQL support: connections, provisioning, migrations, and detection of outages. */
export type { Knex } from 'knex';
export { createDb, deleteInSteps, inTransaction, retryLostRaces, checkDb, type DbOptions } from './database.ts';
export { toStorageError } from './storageErrors.ts';
export {
  provisionDatabase,
  dropDatabase,
  databaseRoleFor as roleFor,
  databaseSchemaOf as schemaOf,
} from './provision.ts';
export { migrate } from './migrations.ts';
export { migrateService } from './migrateService.ts';
