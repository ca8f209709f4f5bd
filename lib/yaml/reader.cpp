#include <algorithm>
#include <istream>
#include <streambuf>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "sweep/yaml.h"
#include "yaml/encoding.h"
#include "yaml/skim.h"

namespace sweep::yaml {

namespace {

struct LimitReached {};  // leaves yaml-cpp's parser after a finding

// Lets yaml-cpp read the text where it lies.
class MemoryBuffer : public std::streambuf {
 public:
  explicit MemoryBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // streambuf's interface; nothing is written
    setg(begin, begin, begin + text.size());
  }
};

constexpr std::string_view tag_prefix = "tag:yaml.org,2002:";

// Texts that mean something else than most readers think, in the plain style.
std::string_view ambiguity(std::string_view text, const Node& node) {
  if (node.kind == Kind::boolean && text != "true" && text != "True" && text != "TRUE" &&
      text != "false" && text != "False" && text != "FALSE") {
    return "boolean";
  }
  if (node.kind == Kind::integer || node.kind == Kind::real) {
    if (text.find(':') != std::string_view::npos) return "base 60";
    const auto digits = text.substr(text.front() == '-' || text.front() == '+' ? 1 : 0);
    const bool octal = node.kind == Kind::integer && digits.size() > 1 && digits[0] == '0' &&
                       digits[1] != 'x' && digits[1] != 'b';
    if (octal) return "octal";
  }
  return {};
}

}  // namespace

/// Turns yaml-cpp's events into a Document, with the skim's tokens for the places.
class DocumentBuilder : public YAML::EventHandler {
 public:
  DocumentBuilder(Document& document, const std::vector<Token>& tokens, Diagnostics& diagnostics)
      : document_(document),
        text_(document.file()->text()),
        tokens_(tokens),
        diagnostics_(diagnostics) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node* node = document_.store().make();
    const Token* token = token_at(mark, false);
    if (token != nullptr && token->type == Token::Type::plain) {
      node->extent = {token->begin, token->end};
      node->text = slice(node->extent);
    } else if (token != nullptr) {
      node->extent = {token->begin, token->end};  // an anchor alone
    } else {
      node->extent = missing_value();
    }
    finish(anchor, node, 1);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Token* token = token_at(mark, true);
    const Extent extent = token != nullptr ? Extent{token->begin, token->end} : at(mark);
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end() || known->second.node == nullptr) {
      report("yaml-syntax", extent, "this alias stands inside the value that it names");
      throw LimitReached{};
    }
    expanded_ += known->second.weight;
    if (expanded_ > max_expanded_nodes) {
      report("yaml-limit", extent,
             fmt::format("aliases expand to more than {} values", max_expanded_nodes));
      throw LimitReached{};
    }
    if (!stack_.empty()) stack_.back().last_end = std::max(stack_.back().last_end, extent.end);
    add(known->second.node, known->second.weight);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node* node = document_.store().make();
    const Token* token = token_at(mark, true);
    const bool plain = token == nullptr || token->type == Token::Type::plain;
    node->extent = token == nullptr ? at(mark) : scalar_extent(*token);
    node->quoted = !plain;
    node->text = keep(value, node->extent, plain);
    node->kind = Kind::string;
    // Quoted scalars come with the tag "!", as does the explicit tag "!".
    if (tag.size() > 1) {
      apply_tag(tag, *node);
    } else if (explicit_tag_) {
      refuse_tag("!", *node);
    } else if (plain) {
      resolve(*node);
    }
    finish(anchor, node, 1);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    start(mark, tag, anchor, style, Kind::sequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    start(mark, tag, anchor, style, Kind::mapping);
  }

  void OnSequenceEnd() override {
    Open open = std::move(stack_.back());
    stack_.pop_back();
    open.node->items = document_.store().keep(open.values);
    close(open);
  }

  void OnMapEnd() override {
    Open open = std::move(stack_.back());
    stack_.pop_back();
    build_members(open);
    close(open);
  }

 private:
  struct Open {
    Node* node = nullptr;
    YAML::anchor_t anchor = 0;
    std::size_t weight = 1;
    std::uint32_t close_at = 0;  // flow: one past the closing bracket
    std::uint32_t last_end = 0;
    std::vector<const Node*> values;  // a mapping's keys and values take turns
  };
  struct Anchored {
    const Node* node = nullptr;
    std::size_t weight = 0;
  };

  // -- places ---------------------------------------------------------------------------------
 public:
  static Extent at(const YAML::Mark& mark) {
    const auto begin = static_cast<std::uint32_t>(mark.pos);
    return {begin, begin + 1};
  }

 private:
  std::string_view slice(Extent extent) const {
    return text_.substr(extent.begin, extent.end - extent.begin);
  }

  // The token of the node that yaml-cpp marks: at the mark, or behind the anchor and the tag at
  // it. A missing value has the mark of what follows, so with `certain` unset a plain token of
  // another text than null is not taken.
  const Token* token_at(const YAML::Mark& mark, bool certain) {
    const auto offset = static_cast<std::uint32_t>(mark.pos);
    while (next_ < tokens_.size() && tokens_[next_].begin < offset) ++next_;
    explicit_tag_ = false;
    const Token* property = nullptr;
    std::size_t index = next_;
    if (index >= tokens_.size() || tokens_[index].begin != offset) return nullptr;
    while (index < tokens_.size() && (tokens_[index].type == Token::Type::anchor ||
                                      tokens_[index].type == Token::Type::tag)) {
      explicit_tag_ = explicit_tag_ || tokens_[index].type == Token::Type::tag;
      property = &tokens_[index++];
    }
    const bool there = index < tokens_.size() && starts_node(tokens_[index].type) &&
                       (certain || is_null_text(tokens_[index]));
    if (!there) {
      if (property != nullptr) next_ = index;
      return property;
    }
    next_ = index + 1;
    return &tokens_[index];
  }
  static bool starts_node(Token::Type type) {
    return type == Token::Type::plain || type == Token::Type::quoted ||
           type == Token::Type::block_scalar || type == Token::Type::open ||
           type == Token::Type::alias;
  }
  bool is_null_text(const Token& token) const {
    Node node;
    return token.type == Token::Type::plain &&
           resolve_plain(slice({token.begin, token.end}), node) && node.is_null();
  }

  // A plain scalar over several lines is several tokens.
  Extent scalar_extent(const Token& token) {
    Extent extent{token.begin, token.end};
    if (token.type != Token::Type::plain) return extent;
    for (; next_ < tokens_.size() && tokens_[next_].type == Token::Type::plain_more; ++next_) {
      extent.end = tokens_[next_].end;
    }
    return extent;
  }

  // A value that is not written stands at its key, or at the dash of its list.
  Extent missing_value() {
    if (stack_.empty()) return {};
    const Open& open = stack_.back();
    if (open.node->kind == Kind::mapping && open.values.size() % 2 == 1) {
      const auto end = open.values.back()->extent.end;
      return {end, end};
    }
    std::size_t index = first_token_after(open.last_end);
    while (index < tokens_.size() && tokens_[index].type != Token::Type::dash) ++index;
    if (index >= tokens_.size()) return open.node->extent;
    return {tokens_[index].begin, tokens_[index].end};
  }
  std::size_t first_token_after(std::uint32_t offset) const {
    const auto found =
        std::lower_bound(tokens_.begin(), tokens_.end(), offset,
                         [](const Token& token, std::uint32_t end) { return token.begin < end; });
    return static_cast<std::size_t>(found - tokens_.begin());
  }

  // -- nodes ----------------------------------------------------------------------------------
  // The value as a view into the file where it stands there as it is, else as a copy.
  std::string_view keep(const std::string& value, Extent extent, bool plain) {
    const std::string_view written = slice(extent);
    const std::size_t skip = plain ? 0 : 1;
    if (written.size() >= value.size() + skip && written.substr(skip, value.size()) == value) {
      return written.substr(skip, value.size());
    }
    return document_.store().keep(value);
  }

  void report(std::string rule, Extent extent, std::string message, std::string help = {},
              Severity severity = Severity::error, std::vector<RelatedPlace> related = {}) {
    diagnostics_.add({.severity = severity,
                      .rule = std::move(rule),
                      .message = std::move(message),
                      .span = document_.span(extent),
                      .help = std::move(help),
                      .path = {},
                      .related = std::move(related)});
  }

  void resolve(Node& node) {
    if (!resolve_plain(node.text, node)) {
      refuse_integer(node);
      return;
    }
    const auto meaning = ambiguity(node.text, node);
    if (meaning.empty()) return;
    const std::string value = node.kind == Kind::boolean   ? (node.boolean ? "true" : "false")
                              : node.kind == Kind::integer ? fmt::format("{}", node.integer)
                                                           : fmt::format("{}", node.real);
    report("yaml-ambiguous-scalar", node.extent,
           fmt::format("'{}' is read as {} {}", node.text,
                       meaning == "boolean" ? "the boolean" : fmt::format("the {} number", meaning),
                       value),
           fmt::format("write {}, or quote it if the text is meant", value), Severity::warning);
  }

  void refuse_integer(Node& node) {
    node.refused = true;
    // Of the forms of an integer only `0b` and `0x` can be without a digit.
    const auto prefix = node.text.find_first_of("bx");
    const bool digits = prefix == std::string_view::npos ||
                        node.text.find_first_not_of('_', prefix + 1) != std::string_view::npos;
    if (digits) {
      report("yaml-limit", node.extent,
             fmt::format("integer '{}' does not fit into 64 bits", printable(node.text)),
             "quote it if it is a text");
    } else {
      report("yaml-syntax", node.extent,
             fmt::format("'{}' is a number without digits", printable(node.text)),
             "quote it if it is a text");
    }
  }

  void apply_tag(const std::string& tag, Node& node) {
    const std::string_view name =
        tag.starts_with(tag_prefix) ? std::string_view(tag).substr(tag_prefix.size()) : "";
    if (name == "str") return;
    if (name == "null") {
      node.kind = Kind::null;
      return;
    }
    const Kind wanted = name == "int"     ? Kind::integer
                        : name == "float" ? Kind::real
                        : name == "bool"  ? Kind::boolean
                                          : Kind::null;
    if (wanted == Kind::null) return refuse_tag(tag, node);
    if (!resolve_plain(node.text, node)) return refuse_integer(node);
    if (wanted == Kind::real && node.kind == Kind::integer) {
      node.kind = Kind::real;
      node.real = static_cast<double>(node.integer);
    }
    if (node.kind != wanted) {
      node.refused = true;
      report("yaml-tag", node.extent,
             fmt::format("'{}' does not fit the tag '!!{}'", printable(node.text), name));
    }
  }

  void refuse_tag(const std::string& tag, Node& node) {
    node.refused = true;
    const bool standard = tag.starts_with(tag_prefix);
    const std::string shown = standard ? "!!" + tag.substr(tag_prefix.size()) : tag;
    constexpr std::string_view known[] = {"!!str",  "!!int", "!!float", "!!bool",
                                          "!!null", "!!seq", "!!map"};
    if (std::find(std::begin(known), std::end(known), shown) != std::end(known)) {
      report("yaml-tag", node.extent,
             fmt::format("the tag '{}' does not fit {}", shown, describe(node.kind)));
      return;
    }
    report("yaml-tag", node.extent, fmt::format("the tag '{}' is not supported", printable(shown)),
           "use !!str, !!int, !!float, !!bool, !!null, !!seq or !!map");
  }

  void start(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
             YAML::EmitterStyle::value style, Kind kind) {
    Node* node = document_.store().make();
    node->kind = kind;
    node->flow = style == YAML::EmitterStyle::Flow;
    Open open;
    open.node = node;
    open.anchor = anchor;
    const Token* token = token_at(mark, true);
    node->extent = token == nullptr ? at(mark) : Extent{token->begin, token->end};
    if (node->flow && token != nullptr && token->type == Token::Type::open) {
      open.close_at = tokens_[token->match].end;
    } else {
      rewind_to(mark);
      skip_properties();
      if (next_ < tokens_.size()) node->extent = {tokens_[next_].begin, tokens_[next_].end};
    }
    open.last_end = node->extent.begin;
    if (stack_.size() + 1 > max_depth) {
      report("yaml-limit", node->extent, fmt::format("nested deeper than {} levels", max_depth));
      throw LimitReached{};
    }
    const std::string_view fitting = kind == Kind::sequence ? "seq" : "map";
    // yaml-cpp gives "?" for no tag.
    const bool untagged = tag.empty() || tag == "?";
    if (!untagged && tag != std::string(tag_prefix).append(fitting)) refuse_tag(tag, *node);
    if (anchor != 0) anchors_[anchor] = {};  // known, but not complete
    stack_.push_back(std::move(open));
  }

  // A block collection shares its mark with its first key or dash, which events to come need.
  void rewind_to(const YAML::Mark& mark) {
    const auto offset = static_cast<std::uint32_t>(mark.pos);
    next_ = first_token_after(offset);
  }
  void skip_properties() {
    // An anchor or a tag on a line above its block collection belongs to the collection; on the
    // line of the first key it belongs to the key.
    while (next_ < tokens_.size() && (tokens_[next_].type == Token::Type::anchor ||
                                      tokens_[next_].type == Token::Type::tag)) {
      const auto between = text_.substr(
          tokens_[next_].end,
          next_ + 1 < tokens_.size() ? tokens_[next_ + 1].begin - tokens_[next_].end : 0);
      if (between.find('\n') == std::string_view::npos &&
          !(next_ + 1 < tokens_.size() && (tokens_[next_ + 1].type == Token::Type::anchor ||
                                           tokens_[next_ + 1].type == Token::Type::tag))) {
        break;
      }
      ++next_;
    }
  }

  void close(Open& open) {
    if (open.close_at != 0) {
      open.node->extent.end = open.close_at;
      next_ = std::max(next_, first_token_after(open.close_at));
    } else {
      open.node->extent.end = std::max(open.node->extent.begin, open.last_end);
    }
    finish(open.anchor, open.node, open.weight);
  }

  void finish(YAML::anchor_t anchor, const Node* node, std::size_t weight) {
    if (anchor != 0) anchors_[anchor] = {node, weight};
    if (!stack_.empty())
      stack_.back().last_end = std::max(stack_.back().last_end, node->extent.end);
    add(node, weight);
  }

  void add(const Node* node, std::size_t weight) {
    if (stack_.empty()) {
      document_.set_root(node);
      return;
    }
    stack_.back().values.push_back(node);
    stack_.back().weight += weight;
  }

  // -- mappings -------------------------------------------------------------------------------
  static bool is_merge_key(const Node& key) {
    return key.is(Kind::string) && !key.quoted && key.text == "<<";
  }

  void build_members(Open& open) {
    std::vector<Member> own;
    std::vector<Member> merged;
    own.reserve(open.values.size() / 2);
    for (std::size_t i = 0; i + 1 < open.values.size(); i += 2) {
      const Node* key = open.values[i];
      const Node* value = open.values[i + 1];
      if (is_merge_key(*key)) {
        if (!merge(*key, *value, merged)) open.node->refused = true;
      } else if (!key->is(Kind::string)) {
        refuse_key(*key);
      } else {
        own.push_back({key, value});
      }
    }
    drop_duplicates(own);
    if (!merged.empty()) own = with_merged(merged, own);
    open.node->members = document_.store().keep(own);
  }

  void refuse_key(const Node& key) {
    if (key.is(Kind::sequence) || key.is(Kind::mapping)) {
      report("wrong-type", key.extent,
             fmt::format("a key must be a string, not {}", describe(key.kind)));
      return;
    }
    const std::string shown = key.text.empty() ? "" : fmt::format(" '{}'", printable(key.text));
    report("wrong-type", key.extent,
           fmt::format("key{} is {}; keys must be strings", shown, describe(key.kind)),
           key.text.empty() ? "write the key" : "quote it");
  }

  void drop_duplicates(std::vector<Member>& members) {
    std::vector<Member> kept;
    std::unordered_map<std::string_view, const Node*> seen;
    const bool large = members.size() > 16;  // below that a linear search is quicker
    kept.reserve(members.size());
    for (const Member& member : members) {
      const Node* first = nullptr;
      if (large) {
        const auto [place, fresh] = seen.emplace(member.name(), member.key);
        if (!fresh) first = place->second;
      } else {
        for (const Member& earlier : kept) {
          if (earlier.name() == member.name()) first = earlier.key;
        }
      }
      if (first == nullptr) {
        kept.push_back(member);
        continue;
      }
      report("yaml-duplicate-key", member.key->extent,
             fmt::format("key '{}' is already defined in this mapping", printable(member.name())),
             "remove one of the two", Severity::error,
             {{document_.span(first->extent), "first defined here"}});
    }
    members = std::move(kept);
  }

  // False when the value cannot be merged.
  bool merge(const Node& key, const Node& value, std::vector<Member>& merged) {
    const auto take = [&](const Node& mapping) {
      merged.insert(merged.end(), mapping.members.begin(), mapping.members.end());
    };
    if (value.is(Kind::mapping)) {
      take(value);
      return !value.refused;
    }
    const auto stranger = std::find_if(value.items.begin(), value.items.end(),
                                       [](const Node* item) { return !item->is(Kind::mapping); });
    if (!value.is(Kind::sequence) || stranger != value.items.end()) {
      const std::string found = value.is(Kind::sequence) ? fmt::format("a list with {} in it",
                                                                       describe((*stranger)->kind))
                                                         : std::string(describe(value.kind));
      report("wrong-type", {key.extent.begin, std::max(key.extent.end, value.extent.end)},
             fmt::format("'<<' takes a mapping or a list of mappings, not {}", found),
             "quote it if '<<' is a key of its own");
      return false;
    }
    // The first mapping of a list wins, so it is laid over the later ones.
    for (auto item = value.items.rbegin(); item != value.items.rend(); ++item) take(**item);
    return std::none_of(value.items.begin(), value.items.end(),
                        [](const Node* item) { return item->refused; });
  }

  // Later members win but keep the place of the first of their name.
  static std::vector<Member> with_merged(const std::vector<Member>& merged,
                                         const std::vector<Member>& own) {
    std::vector<Member> result;
    std::unordered_map<std::string_view, std::size_t> index;
    const auto lay = [&](const std::vector<Member>& members) {
      for (const Member& member : members) {
        const auto [place, fresh] = index.emplace(member.name(), result.size());
        if (fresh) {
          result.push_back(member);
        } else {
          result[place->second] = member;
        }
      }
    };
    lay(merged);
    lay(own);
    return result;
  }

  Document& document_;
  std::string_view text_;
  const std::vector<Token>& tokens_;
  Diagnostics& diagnostics_;
  std::vector<Open> stack_;
  std::unordered_map<YAML::anchor_t, Anchored> anchors_;
  std::size_t next_ = 0;  // the first token no event has used
  std::size_t expanded_ = 0;
  bool explicit_tag_ = false;
};

namespace {

// Takes a second document's events and keeps where it starts.
struct Ignore : YAML::EventHandler {
  YAML::Mark mark;
  void OnDocumentStart(const YAML::Mark& at) override { mark = at; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

}  // namespace

std::shared_ptr<const Document> read(std::shared_ptr<const SourceFile> file,
                                     Diagnostics& diagnostics) {
  const auto refuse = [&](std::string rule, Extent extent, std::string message,
                          std::string help = {}) {
    diagnostics.add({.rule = std::move(rule),
                     .message = std::move(message),
                     .span = {file, extent},
                     .help = std::move(help),
                     .path = {},
                     .related = {}});
    return nullptr;
  };
  if (file->text().size() > max_file_bytes) {
    return refuse("yaml-limit", {},
                  fmt::format("the file is larger than {} MiB", max_file_bytes >> 20U));
  }
  if (!check_encoding(file, diagnostics)) return nullptr;
  const auto tokens = skim(file, diagnostics);
  if (!tokens) return nullptr;

  auto document = std::make_shared<Document>(file);
  DocumentBuilder builder(*document, *tokens, diagnostics);
  MemoryBuffer buffer(file->text());
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      builder.OnNull(YAML::Mark::null_mark(), 0);
    } else if (Ignore rest; parser.HandleNextDocument(rest)) {
      // yaml-cpp takes text that fits nowhere for another document.
      return refuse("yaml-syntax", DocumentBuilder::at(rest.mark),
                    "this text belongs to nothing above it");
    }
  } catch (const LimitReached&) {
    return nullptr;
  } catch (const YAML::Exception& problem) {
    const auto offset = problem.mark.is_null() ? 0 : std::max(problem.mark.pos, 0);
    const auto begin = static_cast<std::uint32_t>(
        std::min<std::size_t>(static_cast<std::size_t>(offset), file->text().size()));
    if (problem.msg == YAML::ErrorMsg::END_OF_MAP || problem.msg == YAML::ErrorMsg::END_OF_SEQ) {
      const bool map = problem.msg == YAML::ErrorMsg::END_OF_MAP;
      return refuse("yaml-syntax", {begin, begin + 1},
                    fmt::format("this does not fit into the {} above it", map ? "mapping" : "list"),
                    "indent it like the keys or the items it belongs to");
    }
    return refuse("yaml-syntax", {begin, begin + 1},
                  fmt::format("not valid YAML: {}", printable(problem.msg)));
  }
  return document;
}

}  // namespace sweep::yaml
