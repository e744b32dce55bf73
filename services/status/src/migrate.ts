import { migrateService } from '@nolo/kit/db';

await migrateService('status', new URL('../migrations/', import.meta.url));
