import { ConfigError, loadConfig } from '@nolo/kit/config';
import { parse } from 'yaml';
import { services } from '../services.ts';
import { loadConfigSchema } from './chartEnvironment.ts';

type Settings = Readonly<Record<string, string>>;

/** Variables set by the images. */
const ofImage = { RPC_LISTEN: '0.0.0.0:7000' };

interface Compose {
  services: Record<string, { environment?: Record<string, string> }>;
}

/** Parses the settings of a file like env.example, in which later lines may use earlier ones. */
export function parseEnvFile(text: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)) {
    settings[name] = interpolate(value, settings);
  }
  return settings;
}

/** Interpolates variables as compose does. With `:` before the default, an empty variable is treated as missing. */
function interpolate(text: string, settings: Settings): string {
  return text.replaceAll(
    /\$\{([A-Z0-9_]+)(?::[-?]([^}]*))?\}/g,
    (whole, name: string, fallback: string | undefined) => {
      const required = whole.includes(':?');
      return settings[name] || (required || fallback === undefined ? '' : fallback);
    },
  );
}

/** Finds services that would refuse the environment that the compose file gives them with these settings. */
export async function findRefusedComposeEnvironments(composeFile: string, settings: Settings): Promise<string[]> {
  const compose = parse(composeFile, { merge: true, maxAliasCount: -1 }) as Compose;
  const problems: string[] = [];
  for (const { name } of services) {
    const given = Object.entries(compose.services[name]?.environment ?? {}).map(
      ([variable, value]) => [variable, interpolate(String(value), settings)] as const,
    );
    try {
      loadConfig(await loadConfigSchema(name), { ...ofImage, ...Object.fromEntries(given) });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.sentences.map((sentence) => `${name} would not start: ${sentence}`));
    }
  }
  return problems;
}
