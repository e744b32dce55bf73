import { migrateService } from '@nolo/kit/db';

await migrateService('identity', new URL('../migrations/', import.meta.url));
