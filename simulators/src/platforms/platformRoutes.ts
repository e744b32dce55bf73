import { json, Router, type RequestHandler } from 'express';
import { z } from 'zod';
import { platformsPage } from '../pages/platformsPage.ts';
import { blueskyRoutes } from './blueskyRoutes.ts';
import { containerRoutes, instagramShape, threadsShape } from './containerRoutes.ts';
import { facebookRoutes } from './facebookRoutes.ts';
import { linkedinRoutes } from './linkedinRoutes.ts';
import { mastodonRoutes } from './mastodonRoutes.ts';
import { platformNames, platformSteps, type PlatformSimulation, type PlatformName } from './PlatformSimulation.ts';
import { xRoutes } from './xRoutes.ts';

const switches = z.array(
  z.object({
    step: z.enum(platformSteps),
    error: z.string().optional(),
    resetSeconds: z.number().nonnegative().optional(),
    delayMs: z.number().int().nonnegative().max(600_000).optional(),
    lost: z.boolean().optional(),
    cut: z.boolean().optional(),
    pollsUntilReady: z.number().int().nonnegative().optional(),
    fails: z.boolean().optional(),
  }),
);
const ending = z.object({ all: z.boolean().default(false) });

/** Serves the social platforms, each under its name, and their control page. */
export function platformRoutes({
  simulation,
  secret,
  url,
}: {
  simulation: PlatformSimulation;
  secret: string;
  url: () => string;
}): Router {
  const router = Router();

  router.get('/', (_request, response) => void response.send(platformsPage(simulation.posts()).text));
  router.get('/posts', (request, response) => {
    const platform = z.enum(platformNames).optional().safeParse(request.query['platform']);
    response.json({ posts: simulation.posts(platform.data) });
  });
  router.put(
    '/:platform/switches',
    json(),
    named((name, body) => simulation.prepare(name, switches.parse(body))),
  );
  router.post(
    '/:platform/end-tokens',
    json(),
    named((name, body) => simulation.endTokens(name, ending.parse(body ?? {}).all)),
  );

  const platforms: Readonly<Record<PlatformName, Router>> = {
    twitter: xRoutes(simulation, secret),
    facebook: facebookRoutes(simulation, secret),
    instagram: containerRoutes(simulation, secret, instagramShape),
    linkedin: linkedinRoutes(simulation, secret, url),
    threads: containerRoutes(simulation, secret, threadsShape),
    mastodon: mastodonRoutes(simulation, secret),
    bluesky: blueskyRoutes(simulation, secret),
  };
  for (const [name, routes] of Object.entries(platforms)) router.use(`/${name}`, routes);
  return router;
}

function named(work: (name: PlatformName, body: unknown) => void): RequestHandler {
  return (request, response) => {
    const name = z.enum(platformNames).safeParse(request.params['platform']);
    try {
      if (!name.success) throw name.error;
      work(name.data, request.body);
      response.status(204).end();
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      response.status(400).json({ code: 'invalid_switches', message: z.prettifyError(error) });
    }
  };
}
