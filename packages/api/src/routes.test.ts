import { routes, type RouteName } from './routes.ts';
import type { Route } from './route.ts';

const shown = Object.entries<Route>(routes).filter(([, { example }]) => example !== undefined) as [RouteName, Route][];

test.each(shown)('%s takes the example that the document shows, and nothing in it goes unheard', (_, route) => {
  const { success, data } = route.body?.safeParse(route.example) ?? { success: false };
  expect(success).toBe(true);
  expect(data).toMatchObject(route.example as object);
});
