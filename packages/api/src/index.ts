export * from './schemas.ts';
export * from './route.ts';
export * from './routes.ts';
export * from './realtime.ts';
