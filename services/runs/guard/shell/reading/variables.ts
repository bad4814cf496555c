/** What it means that a command runs with a variable set. */
interface VariableRule {
  names: RegExp;
  /** `shell`: the value is a line for a shell. `launch`: it names code that is run. `prompt`: substitutions in it run. */
  is: 'harmless' | 'shell' | 'launch' | 'prompt' | 'anything';
  /** Values that do nothing. */
  unless?: RegExp;
}

const FLAGS = /^(0|1|2|true|false|no|yes|)$/;

/** The first that fits counts. A name that fits none is harmless. */
const RULES: readonly VariableRule[] = [
  {
    names:
      /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$|^GIT_(TERMINAL_PROMPT|MERGE_AUTOEDIT|OPTIONAL_LOCKS|ADVICE|LFS_SKIP_SMUDGE|REFLOG_ACTION|LITERAL_PATHSPECS|CEILING_DIRECTORIES)$/,
    is: 'harmless',
  },
  { names: /^GIT_(TRACE|CURL_VERBOSE)/, is: 'anything', unless: FLAGS },
  {
    names:
      /^(GIT_(SSH_COMMAND|SSH|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|(SSH|SUDO)_ASKPASS)$/,
    is: 'shell',
  },
  { names: /^GIT_CONFIG_(GLOBAL|NOSYSTEM|SYSTEM)$/, is: 'anything', unless: /^(1|true|\/dev\/null)$/ },
  { names: /^GIT_/, is: 'anything' },
  {
    names:
      /^(PAGER|EDITOR|VISUAL|BROWSER|MANPAGER|MANOPT|LESSOPEN|LESSCLOSE|FCEDIT|RSYNC_RSH|CVS_RSH|SVN_(SSH|EDITOR)|HGEDITOR|GH_(PAGER|EDITOR|BROWSER)|SYSTEMD_(PAGER|EDITOR)|PSQL_(PAGER|EDITOR)|BAT_PAGER|DELTA_PAGER|PROMPT_COMMAND)$/,
    is: 'shell',
  },
  { names: /^PS[0-4]$/, is: 'prompt' },
  {
    names: /^NODE_OPTIONS$/,
    is: 'anything',
    unless:
      /^((--max[-_]old[-_]space[-_]size=\d+|--no-warnings|--experimental-vm-modules|--enable-source-maps|--trace-warnings)\s*)*$/,
  },
  {
    names:
      /^(PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|NODE_PATH|PERL5LIB|RUBYLIB|CLASSPATH|LD_LIBRARY_PATH|CC|CXX|LD|AR|CPP|MAKE|SHELL|RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER)$/,
    is: 'launch',
  },
  {
    names:
      /^(PATH|LD_\w+|DYLD_\w+|BASH_\w+|BASHOPTS|SHELLOPTS|ENV|ZDOTDIR|HOME|XDG_CONFIG_HOME|CDPATH|GLOBIGNORE|EXECIGNORE)$/,
    is: 'anything',
  },
  {
    names:
      /^(PERL5OPT|PERL5DB|RUBYOPT|GEM_HOME|BUNDLE_GEMFILE|PYTHON(BREAKPOINT|INSPECT|WARNINGS|PLATLIBDIR)|(JAVA_TOOL|_JAVA|JDK_JAVA|MAVEN|GRADLE|SBT)_OPT(ION)?S|GOFLAGS|GOENV|MAKEFLAGS|GNUMAKEFLAGS|RUSTFLAGS|CARGO_\w+)$/,
    is: 'anything',
    unless: /^(debug|release|sparse|always|never|auto|true|false|\d*|-j\d*)$/,
  },
  {
    names:
      /^(VIMINIT|EXINIT|MYVIMRC|LESS|LESSKEY|MORE|TAR_OPTIONS|GREP_OPTIONS|RIPGREP_CONFIG_PATH|CURL_HOME|WGETRC|INPUTRC|MAILCAPS|OPENSSL_\w+|GH_CONFIG_DIR|TAPE|GCONV_PATH|npm_config_\w+|NPM_CONFIG_\w+|YARN_\w+|PIP_\w+|UV_\w+|KUBECONFIG|DOCKER_CONFIG|ANSIBLE_\w+|EMACSLOADPATH)$/,
    is: 'anything',
    unless: /^(-?[FRXSi]*|true|false|\d*|error|silent|warn)$/,
  },
];

export function variableRule(name: string): VariableRule | null {
  return RULES.find(({ names }) => names.test(name)) ?? null;
}
