package main

// Plan of the file: which structs get methods, and the generated file with its imports and names.

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A generator makes one file.
type generator struct {
	pkg     *types.Package
	structs map[*types.Named]*structType // the result of look for each type that it was called with
	queue   []*structType                // the structs that get methods, in the order they were found
	open    map[*types.Named]bool        // types whose kind is being determined
	imports map[string]string            // the names of the packages that the methods use, by import path
	aliases map[string]string            // aliases for types of the package, by the type's name and type arguments
	names   []string                     // results of ownName, so that no name is used twice

	tagKeys             []string // keys of struct tags; the first key that a field has counts
	omitEmptyAsksIsZero bool

	ignored map[string]string // why files in the folder don't belong to the package, by their paths
}

// A structType is a struct of the package.
type structType struct {
	name  string
	named *types.Named
	layout
	err error // why the type gets no methods, or nil if it gets them
}

// receiver returns the type in the form of a method's receiver. The methods of a generic type serve all its instances.
// They leave every value whose type depends on a type parameter to the library, so the receiver has _ for each type
// parameter.
func (s *structType) receiver() string {
	if n := s.named.TypeParams().Len(); n > 0 {
		return s.name + "[" + strings.Repeat("_, ", n-1) + "_]"
	}
	return s.name
}

func (s *structType) generic() bool { return s.named.TypeParams().Len() > 0 }

func newGenerator(l *loaded) *generator {
	g := &generator{
		pkg:     l.pkg,
		ignored: l.ignored,
		structs: map[*types.Named]*structType{},
		open:    map[*types.Named]bool{},
		aliases: map[string]string{},
		imports: map[string]string{},
		tagKeys: []string{ownTagKey},
	}
	g.imports[wirePath] = g.ownName("wire")
	return g
}

// ownTagKey is the key of the library's struct tags.
const ownTagKey = "msgpack"

// hasOptions reports whether the methods are for codecs with options that change the layout of structs: TagKeys or
// OmitEmptyAsksIsZero.
func (g *generator) hasOptions() bool {
	return g.omitEmptyAsksIsZero || len(g.tagKeys) != 1 || g.tagKeys[0] != ownTagKey
}

// add gives methods to the struct type with the name. If the type can't have methods, the error says why.
func (g *generator) add(name string) error {
	if generic, _, ok := strings.Cut(name, "["); ok {
		return fmt.Errorf("%s is an instance; list %s, whose methods serve all its instances", name, generic)
	}
	object := g.pkg.Scope().Lookup(name)
	if object == nil {
		return g.missing(name)
	}
	typeName, ok := object.(*types.TypeName)
	if !ok {
		return fmt.Errorf("%s is no type; -type takes the names of struct types", name)
	}
	named, ok := types.Unalias(typeName.Type()).(*types.Named)
	if !ok {
		return fmt.Errorf("%s is no struct type; leave it out of -type, because only structs need methods", name)
	}
	if named.Obj().Pkg() != g.pkg {
		return fmt.Errorf("%s is a type of another package; run polypack-gen there", name)
	}
	if s := g.look(named); s.err != nil {
		return fmt.Errorf("%s: %w", name, s.err)
	}
	return nil
}

// missing returns the error for a type that the package doesn't declare. If another file in the folder declares the
// type, the error names that file.
func (g *generator) missing(name string) error {
	for file, why := range g.ignored {
		if declares(file, name) {
			return fmt.Errorf("%s: no such type in package %s; %s declares it, but %s", name, g.pkg.Name(), filepath.Base(file), why)
		}
	}
	return fmt.Errorf("%s: no such type in package %s; names in -type have no package or pointer in front", name, g.pkg.Name())
}

// look determines whether a type of the package gets methods. All instances of a generic type share the same methods.
func (g *generator) look(named *types.Named) *structType {
	named = named.Origin()
	if s, ok := g.structs[named]; ok {
		return s
	}
	s := &structType{name: named.Obj().Name(), named: named}
	g.structs[named] = s
	l, err := g.suitable(named)
	if err != nil {
		s.err = err
		return s
	}
	s.layout = *l
	g.queue = append(g.queue, s)
	return s
}

// A refusal says why a type gets no methods, and what to do.
type refusal struct {
	why, advice string
	never       bool // the library can't encode such a type either
}

func (r *refusal) Error() string { return r.why + "; " + r.advice }

func refuse(why, advice string) error { return &refusal{why: why, advice: advice} }

func never(why, advice string) error { return &refusal{why: why, advice: advice, never: true} }

// suitable returns the layout of a type. If the type gets no methods, the error says why.
func (g *generator) suitable(named *types.Named) (*layout, error) {
	t, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil, refuse("it is no struct type", "leave it out of -type, because only structs need methods")
	}
	if named.Obj().Parent() != g.pkg.Scope() {
		return nil, refuse("it is declared in a function", "declare it outside")
	}
	methods := methodsFor(named)
	for i := range named.NumMethods() {
		if name := named.Method(i).Name(); slices.Contains(methods, name) {
			return nil, refuse("it has a method "+name+" already, in another file",
				"remove that file, or write this one in its place with -output")
		}
	}
	for f := range t.Fields() {
		if slices.Contains(methods, f.Name()) {
			return nil, refuse("its field "+f.Name()+" has the name of a method that it would get",
				"rename the field, and give it its key in the tag")
		}
	}
	if method := ownMethod(named); method != "" {
		return nil, refuse("its method "+method+" says how it is encoded", "leave it out of -type, or remove the method")
	}
	if isValueType(named) {
		return nil, refuse("it has an encoding of its own", "leave it out of -type")
	}
	l, err := g.layoutOf(t)
	if err != nil {
		return nil, err
	}
	if n := len(l.fields); n > mostFields {
		return nil, refuse(fmt.Sprintf("it has %d fields, and methods for more than %d take Go hours to compile", n, mostFields),
			"leave it out of -type, because the library encodes it without methods")
	}
	for _, f := range l.fields {
		if f.omitEmpty && isParameter(f.typ) || f.omitZero && (isParameter(f.typ) || isParameter(pointed(f.typ))) {
			return nil, refuse(fmt.Sprintf("whether its field %s is left out depends on a type parameter", f.path),
				"leave the option out, or declare an instance as a type, as in type T2 T[int], and list that")
		}
		if f.omitZero && zeroTest(f, "") == "" {
			return nil, refuse(fmt.Sprintf("the option omitzero of its field %s needs a comparison that only the library makes", f.path),
				"give the field's type a method IsZero, or make the field a pointer with omitempty")
		}
	}
	return l, nil
}

// mostFields is the largest number of fields of a struct that gets methods. Go takes minutes to compile the methods for
// 4,000 fields. This time grows faster than the square of the number of fields. mapHead relies on the limit.
const mostFields = 10_000

// isParameter reports whether t is a type parameter.
func isParameter(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// pointed returns the type that t points to, or t itself if t isn't a pointer type.
func pointed(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// generatedMethods has the names of the generated methods that the library and generated code call. directMethods has
// the names of those that users may call.
var (
	generatedMethods = []string{"AppendWire", "EncodeWire", "ReadWire", "DecodeWire", "WireShape"}
	directMethods    = []string{"AppendPolypack", "UnmarshalPolypack"}
)

// directSignatures has the signatures of directMethods.
var directSignatures = map[string]string{
	"AppendPolypack":    "([]byte) ([]byte, error)",
	"UnmarshalPolypack": "([]byte) error",
}

// typeMethod is the name of one more generated method, which only structs with embedded fields have.
const typeMethod = "WireType"

// embeds reports whether a struct type has embedded fields.
func embeds(named *types.Named) bool {
	s, ok := named.Underlying().(*types.Struct)
	if ok {
		for f := range s.Fields() {
			if f.Embedded() {
				return true
			}
		}
	}
	return false
}

// methodNames returns the names of all methods that a type may get.
func methodNames() []string {
	return append(append([]string{typeMethod}, generatedMethods...), directMethods...)
}

// methodsFor returns the names of the methods that the type gets, or may get.
func methodsFor(named *types.Named) []string {
	if embeds(named) {
		return methodNames()
	}
	return methodNames()[1:]
}

// generated reports whether a struct type has generated methods, or gets them in this run.
func (g *generator) generated(named *types.Named) bool {
	if named.Obj().Pkg() == g.pkg && g.look(named).err == nil {
		return true
	}
	set := types.NewMethodSet(types.NewPointer(named))
	for _, name := range methodsFor(named) {
		if slices.Contains(directMethods, name) {
			continue
		}
		// Methods that are promoted from an embedded struct don't count.
		if method := set.Lookup(nil, name); method == nil || len(method.Index()) > 1 {
			return false
		}
	}
	return true
}

// versionCheck is a line of the generated file that fails to compile if the file doesn't fit package wire. The version
// number goes up when package wire drops something that older generated code may call.
const versionCheck = "// If this line does not compile, run polypack-gen of the same version as the library again.\n" +
	"const _ = wire.Version1"

// source returns the text of the generated file.
func (g *generator) source() ([]byte, error) {
	var body bytes.Buffer
	// kindOf may append more structs to the queue.
	for i := 0; i < len(g.queue); i++ {
		for _, f := range g.queue[i].fields {
			if f.kind = &otherKind; !f.asArray {
				f.kind = g.kindOf(f.typ)
			}
		}
	}
	slices.SortFunc(g.queue, func(a, b *structType) int { return strings.Compare(a.name, b.name) })
	for _, s := range g.queue {
		m := &emitter{generator: g, structType: s, out: &body}
		m.shape()
		if !g.hasOptions() && !s.generic() {
			m.direct()
		}
		m.encode()
		m.decode()
	}
	var file bytes.Buffer
	g.begin(&file)
	fmt.Fprintf(&file, "%s\n\n", versionCheck)
	for _, name := range slices.Sorted(maps.Keys(g.aliases)) {
		fmt.Fprintf(&file, "type %s = %s\n\n", g.aliases[name], name)
	}
	file.Write(body.Bytes())
	text, err := formatted(&file)
	if err != nil {
		return nil, err
	}
	return g.fit(text)
}

// fit adapts the file to names that the package declares. If the package declares the name wire, the file imports
// package wire under another name. If the package declares a name of Go itself that the file needs, such as len, fit
// returns an error.
func (g *generator) fit(text []byte) ([]byte, error) {
	declares := func(name string) bool { return g.pkg.Scope().Lookup(name) != nil }
	if !declares("wire") && !slices.ContainsFunc(types.Universe.Names(), declares) {
		return text, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var fitted bytes.Buffer
	written := 0
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl: // the receiver is a type of the package
			ast.Inspect(n.Type, look)
			ast.Inspect(n.Body, look)
			return false
		case *ast.TypeSpec: // an alias for a type of the package
			if instance, ok := n.Type.(*ast.IndexExpr); ok {
				ast.Inspect(instance.Index, look)
			} else if instance, ok := n.Type.(*ast.IndexListExpr); ok {
				for _, argument := range instance.Indices {
					ast.Inspect(argument, look)
				}
			}
			return false
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "wire" {
				at := fset.Position(x.Pos()).Offset
				fitted.Write(text[written:at])
				fitted.WriteString(g.imports[wirePath])
				written = at + len("wire")
			}
			ast.Inspect(n.X, look)
			return false
		case *ast.Ident:
			if types.Universe.Lookup(n.Name) != nil && declares(n.Name) {
				err = fmt.Errorf("the package declares %s, but the methods need that of Go; rename it", n.Name)
			}
		}
		return true
	}
	ast.Inspect(file, look)
	if err != nil {
		return nil, err
	}
	fitted.Write(text[written:])
	return formatted(&fitted)
}

// begin writes the start of a file: the package clause and the imports.
func (g *generator) begin(file *bytes.Buffer) {
	var standard, others []string
	for p, name := range g.imports {
		line := strconv.Quote(p)
		if path.Base(p) != name {
			line = name + " " + line
		}
		if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") {
			others = append(others, line)
		} else {
			standard = append(standard, line)
		}
	}
	slices.Sort(standard)
	slices.Sort(others)
	fmt.Fprintf(file, generatedLine+"\n\npackage %s\n\nimport (\n", g.pkg.Name())
	fmt.Fprintf(file, "%s\n\n%s\n)\n\n", strings.Join(standard, "\n"), strings.Join(others, "\n"))
}

// formatted returns the file as gofmt would write it.
func formatted(file *bytes.Buffer) ([]byte, error) {
	source, err := format.Source(file.Bytes())
	if err != nil {
		return nil, fmt.Errorf("a fault of polypack-gen, please report it: %w", err)
	}
	return source, nil
}

// goType returns the Go expression for t in the generated file.
func (g *generator) goType(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return g.typeName(t.Obj(), t.TypeArgs())
	case *types.Named:
		return g.typeName(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		return "*" + g.goType(t.Elem())
	case *types.Slice:
		return "[]" + g.goType(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), g.goType(t.Elem()))
	case *types.Map:
		return "map[" + g.goType(t.Key()) + "]" + g.goType(t.Elem())
	}
	return types.TypeString(t, g.qualify)
}

// typeName returns the Go expression for a type with a name, and its type arguments. A type of the package gets an
// alias if its name is also that of a variable in the methods, or a name that Go itself declares.
func (g *generator) typeName(o *types.TypeName, arguments *types.TypeList) string {
	text := o.Name()
	if arguments.Len() > 0 {
		var list []string
		for argument := range arguments.Types() {
			list = append(list, g.goType(argument))
		}
		text += "[" + strings.Join(list, ", ") + "]"
	}
	switch {
	case o.Pkg() == nil:
		return text
	case o.Pkg() != g.pkg:
		return g.qualify(o.Pkg()) + "." + text
	case !localName.MatchString(o.Name()) && types.Universe.Lookup(o.Name()) == nil:
		return text
	}
	if _, ok := g.aliases[text]; !ok {
		g.aliases[text] = g.ownName(o.Name() + "_type")
	}
	return g.aliases[text]
}

// localName matches the names of variables in generated methods.
var localName = regexp.MustCompile(`^([a-z]|at|box|count|data|dst|err|head|hooks|hops|isNew|keys?|left|limits|need|owed|promised|space|texts)[0-9]*$`)

// qualify returns the name under which the generated file imports a package, and adds the import. For the file's own
// package, it returns "".
func (g *generator) qualify(p *types.Package) string {
	if p == g.pkg {
		return ""
	}
	if name, ok := g.imports[p.Path()]; ok {
		return name
	}
	name := p.Name()
	if localName.MatchString(name) {
		name += "pkg"
	}
	name = g.ownName(name)
	g.imports[p.Path()] = name
	return name
}

// libraryName returns the name under which the file imports the library.
func (g *generator) libraryName() string { return g.qualify(types.NewPackage(libraryPath, "polypack")) }

// ownName returns the name, or a similar one if the package, the generated file or Go itself uses the name already.
func (g *generator) ownName(name string) string {
	taken := func(name string) bool {
		if g.pkg.Scope().Lookup(name) != nil || types.Universe.Lookup(name) != nil || slices.Contains(g.names, name) {
			return true
		}
		for _, other := range g.imports {
			if other == name {
				return true
			}
		}
		return false
	}
	for i, first := 2, name; taken(name); i++ {
		name = fmt.Sprintf("%s_%d", first, i)
	}
	g.names = append(g.names, name)
	return name
}
