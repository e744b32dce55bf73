import { migrateService } from '@nolo/kit/db';

await migrateService('notifications', new URL('../migrations/', import.meta.url));
