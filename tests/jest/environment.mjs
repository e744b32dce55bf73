// Reuses V8's compiled code across test files. Every test file has its own modules, which V8 would otherwise compile
// again for each file. The cache lives in the jest worker and serves all files that the worker runs.
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { compileFunction, SourceTextModule } = vm;
const compiled = new Map();

/** Returns the cached compilation of the text if the text is unchanged. */
function known(name, code) {
  const found = compiled.get(name);
  return found?.code === code ? found.data : undefined;
}

if (SourceTextModule !== undefined && !Object.hasOwn(SourceTextModule, 'remembers')) {
  vm.SourceTextModule = class extends SourceTextModule {
    static remembers = true;

    constructor(code, options) {
      const cachedData = known(options.identifier, code);
      super(code, cachedData === undefined ? options : { ...options, cachedData });
      if (cachedData === undefined) compiled.set(options.identifier, { code, data: this.createCachedData() });
    }
  };
  vm.compileFunction = (code, parameters, options) => {
    const cachedData = known(options.filename, code);
    const more = cachedData === undefined ? { produceCachedData: true } : { cachedData };
    const made = compileFunction(code, parameters, { ...options, ...more });
    if (made.cachedData !== undefined) compiled.set(options.filename, { code, data: made.cachedData });
    return made;
  };
}

export default TestEnvironment;
