import { migrateService } from '@nolo/kit/db';

await migrateService('meetings', new URL('../migrations/', import.meta.url));
