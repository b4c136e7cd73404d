// Starts `mqsc lsp` and connects the editor to it. In this folder: npm install, then npx @vscode/vsce package.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("mqsc").get("command");
  const languages = ["mqsc", "yaml", "shellscript"];
  const selector = languages.map((language) => ({ scheme: "file", language }));
  client = new LanguageClient("mqsc", "MQSC", { command, args: ["lsp"] }, { documentSelector: selector });
  return client.start();
};

exports.deactivate = () => client?.stop();
