import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../paths.ts';
import { services } from '../services.ts';

/** Part of a zod schema that describes a variable. */
export interface SchemaNode {
  description?: string | undefined;
  _zod: {
    def: {
      type: string;
      defaultValue?: unknown;
      innerType?: SchemaNode;
      in?: SchemaNode;
      shape?: Record<string, SchemaNode>;
    };
  };
}

interface ConfigModule {
  configSchema: SchemaNode;
}

interface Variable {
  description: string;
  /** Default value. `undefined` if none. */
  defaultValue: string | undefined;
  optional: boolean;
  usedBy: string[];
}

const heading = `# Every environment variable of Nolo with its default. Generated from the configuration schemas by
# \`npm run generate:env\`, and checked by \`npm run check\`.
#
# \`npm start\` needs none of these: it sets what the services need. In production, each service gets its own values,
# so one name may have a different value for each of them.
`;

/** Renders the contents of the schemas. `schemas` is keyed by the service that the schema configures. */
export function renderEnvExample(schemas: Record<string, SchemaNode>): string {
  const variables = new Map<string, Variable>();
  for (const [packageName, schema] of Object.entries(schemas)) {
    for (const [name, node] of Object.entries(configVariablesOf(schema, packageName))) {
      const described = describeVariable(node);
      const known = variables.get(name);
      if (known) {
        known.usedBy.push(packageName);
        if (known.defaultValue !== described.defaultValue) {
          const other = described.defaultValue ?? 'no default';
          known.description = `${endSentence(known.description)} For ${packageName}: ${other}.`;
        }
      } else variables.set(name, { ...described, usedBy: [packageName] });
    }
  }
  const everywhere = Object.keys(schemas).length;
  const groups = new Map<string, string[]>();
  for (const [name, { description, defaultValue, optional, usedBy }] of [...variables].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    if (description === '') throw new Error(`${name} (${usedBy.join(', ')}) has no description in its schema.`);
    const group = usedBy.length === everywhere ? 'everything' : usedBy.join(', ');
    const line =
      defaultValue !== undefined
        ? `${name}=${/[\s#"']/.test(defaultValue) ? JSON.stringify(defaultValue) : defaultValue}`
        : optional
          ? `# ${name}=`
          : `${name}=`;
    const requirement = defaultValue === undefined && !optional ? ' Required.' : '';
    const entry = `${wrap(`${endSentence(description)}${requirement}`)}\n${line}\n`;
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  const ordered = [...groups].sort(([a], [b]) => b.split(', ').length - a.split(', ').length || (a < b ? -1 : 1));
  const [first, rest] = [
    ordered.filter(([group]) => group === 'everything'),
    ordered.filter(([g]) => g !== 'everything'),
  ];
  return [
    heading,
    ...[...first, ...rest].map(([group, entries]) => `# ---- ${group} ----\n\n${entries.join('\n')}`),
  ].join('\n');
}

/** Returns the variables of a service's configuration. */
export function configVariablesOf(schema: SchemaNode, packageName: string): Record<string, SchemaNode> {
  // A schema with a refinement or a transformation nests its object one level deeper.
  let node: SchemaNode | undefined = schema;
  while (node && node._zod.def.shape === undefined) node = node._zod.def.in ?? node._zod.def.innerType;
  if (!node?._zod.def.shape) throw new Error(`The configSchema of ${packageName} must be an object of variables.`);
  return node._zod.def.shape;
}

function describeVariable(schema: SchemaNode): Omit<Variable, 'usedBy'> {
  let description = '';
  let defaultValue: string | undefined;
  let optional = false;
  for (let node: SchemaNode | undefined = schema; node; node = node._zod.def.innerType ?? node._zod.def.in) {
    const { def } = node._zod;
    description ||= node.description ?? '';
    if (def.type === 'optional' || def.type === 'nullable') optional = true;
    if ((def.type === 'default' || def.type === 'prefault') && defaultValue === undefined) {
      defaultValue = printDefault(def.defaultValue);
      optional = true;
    }
  }
  return { description, defaultValue, optional };
}

function printDefault(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'object' && 'host' in value && 'port' in value)
    return `${String(value.host)}:${String(value.port)}`;
  // A default generated at run time (a random ID, a secret) is no use in a file.
  return undefined;
}

function endSentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text}.`;
}

function wrap(sentence: string): string {
  const lines: string[] = [];
  let line = '#';
  for (const word of sentence.split(/\s+/)) {
    if (line.length + word.length + 1 > 118) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Loads every configuration schema. */
async function loadSchemas(): Promise<Record<string, SchemaNode>> {
  // If services and simulators read the same name, the description from the services comes first.
  const serviceFolders = services
    .map(({ name }) => [name, `services/${name}`] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const loaded = await Promise.all(
    [...serviceFolders, ['simulators', 'simulators'] as const].map(async ([packageName, folder]) => {
      const path = `${folder}/src/config.ts`;
      const module = (await import(pathToFileURL(join(projectRoot, path)).href)) as Partial<ConfigModule>;
      if (!module.configSchema) throw new Error(`${path} exports no configSchema.`);
      return [packageName, module.configSchema] as const;
    }),
  );
  return Object.fromEntries(loaded);
}

/** Checks that `.env.example` matches the schemas. */
export async function findEnvExampleProblems(): Promise<string[]> {
  const expected = renderEnvExample(await loadSchemas());
  const actual = await readFile(join(projectRoot, '.env.example'), 'utf8').catch(() => '');
  if (actual === expected) return [];
  const [wanted, present] = [new Set(expected.split('\n')), new Set(actual.split('\n'))];
  return [
    '.env.example does not match the schemas. Run `npm run generate:env`.',
    ...[...wanted].filter((line) => !present.has(line)).map((line) => `    + ${line}`),
    ...[...present].filter((line) => !wanted.has(line)).map((line) => `    - ${line}`),
  ].slice(0, 30);
}

if (import.meta.main) {
  await writeFile(join(projectRoot, '.env.example'), renderEnvExample(await loadSchemas()));
}
