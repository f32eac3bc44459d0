#include "cli/completion.h"

#include <memory>

#include "cli/commands.h"
#include "cli/context.h"

namespace plimsoll {

Command CompletionCommand() {
  auto shell = std::make_shared<std::string>();
  Command command;
  command.name = "completion";
  command.summary = "Print a script that lets your shell complete plimsoll's command lines";
  command.about =
      "bash: put `source <(plimsoll completion bash)` into ~/.bashrc.\n"
      "zsh: plimsoll completion zsh > ~/.zfunc/_plimsoll, with ~/.zfunc in fpath.\n"
      "fish: plimsoll completion fish > ~/.config/fish/completions/plimsoll.fish";
  command.example = "source <(plimsoll completion bash)";
  command.options = {CommandOption::Argument("SHELL", "Which shell", shell.get())
                         .OneOf({"bash", "zsh", "fish"})
                         .Required()};
  command.run = [shell](Context& context) -> Result<ExitCode> {
    const Command& root = context.root();
    context.Write(*shell == "bash"  ? BashCompletion(root)
                  : *shell == "zsh" ? ZshCompletion(root)
                                    : FishCompletion(root));
    return ExitCode::kDone;
  };
  return command;
}

}  // namespace plimsoll
