import { migrateService } from '@nolo/kit/db';

await migrateService('billing', new URL('../migrations/', import.meta.url));
