import { z } from 'zod';
import { findEnvExampleProblems, renderEnvExample } from './envExample.ts';

describe('renderEnvExample', () => {
  const common = { LOG_LEVEL: z.enum(['info', 'debug']).default('info').describe('How much is logged') };
  const chat = z.object({
    ...common,
    DATABASE_URL: z.string().describe('Where the rows are.'),
    RPC_SECRET: z.string().optional().describe('Shared by the services.'),
  });

  it('names every variable once, with its default, description and readers', () => {
    const text = renderEnvExample({ chat, gateway: z.object(common).refine(() => true) });
    expect(text).toContain('# ---- everything ----\n\n# How much is logged.\nLOG_LEVEL=info\n');
    expect(text).toContain('# ---- chat ----\n\n# Where the rows are. Required.\nDATABASE_URL=\n');
    expect(text).toContain('# Shared by the services.\n# RPC_SECRET=\n');
    expect(text.match(/LOG_LEVEL=/g)).toHaveLength(1);
  });

  it('rejects a variable without a description', () => {
    expect(() => renderEnvExample({ chat: z.object({ A: z.string() }) })).toThrow('A (chat) has no description');
  });
});

describe('.env.example', () => {
  it('matches the schemas', async () => {
    expect(await findEnvExampleProblems()).toEqual([]);
  });
});
