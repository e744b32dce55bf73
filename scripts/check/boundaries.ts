import { runTool } from './runTool.ts';

/**
 * Lower limit for the number of modules. With an unknown compiler, dependency-cruiser reads nothing and reports no
 * violation, so fewer modules mean that it looked at nothing.
 */
const minimumModules = 150;

interface CruiseResult {
  modules: { source: string; coreModule?: boolean }[];
  summary: {
    violations: {
      from: string;
      to: string;
      rule: { name: string };
      comment?: string;
      cycle?: { name: string }[];
    }[];
  };
}

/** Checks the import rules of `.dependency-cruiser.mjs`. */
export async function findBoundaryProblems(): Promise<string[]> {
  const folders = ['packages', 'proto/gen', 'services', 'simulators', 'web', 'tests', 'scripts'];
  const { stdout, output } = await runTool('depcruise', [
    '--config',
    '.dependency-cruiser.mjs',
    '--output-type',
    'json',
    ...folders,
  ]);
  let result: CruiseResult;
  try {
    result = JSON.parse(stdout) as CruiseResult;
  } catch {
    return [`dependency-cruiser returned no result: ${output.trim()}`];
  }
  const { modules, summary } = result;
  const problems = summary.violations.map(({ from, to, rule, comment, cycle }) => {
    const path = cycle ? cycle.map(({ name }) => name).join(' → ') : to;
    return `${from} → ${path}\n    ${rule.name}${comment ? `: ${comment}` : ''}`;
  });
  const seen = modules.filter(({ source, coreModule }) => !coreModule && !source.includes('node_modules')).length;
  if (seen < minimumModules) {
    problems.push(`Only ${seen} modules were found, but at least ${minimumModules} were expected.`);
  }
  return problems;
}
