import { migrateService } from '@nolo/kit/db';

await migrateService('social-scheduler', new URL('../migrations/', import.meta.url));
