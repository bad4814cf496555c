// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are those of the shell

import type { Line } from './line.ts';

const OUTSIDE = 'write_outside_worktree';

/** Lines that look as if they had fewer classes than they have, each with those that it must not lose. They start in `/opt/w`. */
export const AT_LEAST_LINES: readonly Line[] = [
  // where the shell is
  ['! cd .. || rm x', OUTSIDE],
  ['time ! cd .. || rm x', OUTSIDE],
  ['! { cd ..; } || rm x', OUTSIDE],
  ['if ! cd ..; then :; else rm x; fi', OUTSIDE],
  ["trap 'rm x' EXIT; cd ..", OUTSIDE],
  ["eval 'c''d ..'; rm x", OUTSIDE],
  ["eval 'cd() { :; }'; cd /opt/w/src && rm ../x", OUTSIDE],
  ['pushd -n src && rm ../x', OUTSIDE],
  ["ls() { cd ..; }; export -f ls; bash -c 'ls; rm x'", OUTSIDE],
  ["set -a; ls() { cd ..; }; bash -c 'ls; rm x'", OUTSIDE],
  ['sh -c \'alias c="cd .."\nc\nrm x\'', OUTSIDE],
  ['PWD=src; cd ..; rm $PWD/../x', OUTSIDE],
  ['read PWD <<< /; rm "$PWD/x"', OUTSIDE],
  ['read IFS <<< p; rm $PWD/x', OUTSIDE],
  ["IFS=p; eval 'rm $PWD/x'", OUTSIDE],
  ['mkdir -p a/b && cd a/b && ln -s .. ../../y && touch ../../y/z', OUTSIDE],
  ['cp -s ../x h; echo 2 > h', OUTSIDE],
  ['cp -al /etc h; echo 2 > h/hosts', OUTSIDE],
  // what a variable holds
  ['_=ls; : git; $_ push', 'git_push'],
  ['x=ls; export "x=git"; $x push', 'git_push'],
  ['x=ls; export {a,x}=git; $x push', 'git_push'],
  ['x=1; export "x=a[\\$(git push)]"; ((x))', 'git_push'],
  ["x='a[$(git push)]'; eval '(( x ))'", 'git_push'],
  ['x=\'\'; : "${x[0]:=git}"; "$x" push', 'git_push'],
  ['y=x; x=\'\'; : "${!y:=git}"; "$x" push', 'git_push'],
  ["trap 'x=git' DEBUG; eval 'x=ls; $x push'", 'git_push'],
  ['declare -l x; x=-I; sed $x s/1/2/ f', 'file_write'],
  // what a shell reads
  ["command exec <<< 'git push'; sh", 'git_push'],
  ['eval \'exec <<< "git push"\'; sh', 'git_push'],
  ["f() { exec <<< 'git push'; }; f; sh", 'git_push'],
  ["if true; then exec <<< 'git push'; fi; sh", 'git_push'],
  ["true && exec <<< 'git push'; sh", 'git_push'],
  ["while :; do sh; exec <<< 'git push'; done", 'git_push'],
  ["sh 3<<< 'git push' <<< ls 0>&3", 'git_push'],
  ["sh 00<<< 'git push'", 'git_push'],
  ["printf %s git ' push' | sh", 'git_push'],
  ['eval \'echo() { printf "git push"; }\'; echo ls | sh', 'git_push'],
  // shells that are not bash
  ["sh -c 'ls &>f git push'", 'git_push'],
  ["sh -c '[[ a || git ]]'", 'process_launch'],
  ["sh -c '((git push))'", 'git_push'],
  ["sh -c \"echo $'\\\\'; git push; echo ''\"", 'git_push'],
  ["sh -c 'alias ls=env\nls git push'", 'git_push'],
  // a function of that name does not run
  ['prog() { :; }; env prog', 'process_launch'],
  ['prog() { :; }; command prog', 'process_launch'],
  ['prog() { :; }; unset -f prog; prog', 'process_launch'],
  // arguments that a program adds
  ['git fetch --upload-pack=git push', 'git_push'],
  ["git ls-remote --upload-pack='sh -c' 'git push'", 'git_push'],
  ['git clone -u git push d', 'git_push'],
  ["GIT_SSH_COMMAND='sh -c' git fetch 'git push:x'", 'git_push'],
  ["rsync -e 'sh -c' a 'git push:b'", 'git_push'],
  ['rsync -e env --rsync-path=push a git:', 'git_push'],
  ["git config credential.helper '!git push'", 'git_push'],
  ["git config filter.x.clean 'git push'", 'git_push'],
];
